// The one way an operation reports failure: a code plus the three facts a caller needs to repair
// the call. The library is built without exceptions, so every fallible function returns a Status.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace headwise {

// The names cross the bindings as the `code` of a HeadwiseError (see to_string).
enum class StatusCode { kOk, kInvalidArgument, kUnsupported, kOutOfMemory, kInternal };

// What a caller needs to know to repair a call.
struct Failure {
  StatusCode code = StatusCode::kOk;
  std::string argument;  // the argument at fault, in the spelling of the TypeScript API
  std::string expected;  // what would have been accepted
  std::string received;  // what came instead
};

// One pointer, null for success: every fallible call hands one on, and more than that would be a
// good part of a WebAssembly build.
class [[nodiscard]] Status {
 public:
  Status() = default;
  // Never inlined, and literals as they are: there are hundreds of these calls.
  [[gnu::noinline]] Status(StatusCode code, const char* argument, const std::string& expected,
                           const std::string& received);
  [[gnu::noinline]] Status(StatusCode code, const char* argument, const char* expected,
                           const std::string& received);

  template <class Argument, class Expected>
  static Status invalid(const Argument& argument, const Expected& expected,
                        const std::string& received) {
    return {StatusCode::kInvalidArgument, literal(argument), expected, received};
  }
  template <class Argument, class Expected>
  static Status unsupported(const Argument& argument, const Expected& expected,
                            const std::string& received) {
    return {StatusCode::kUnsupported, literal(argument), expected, received};
  }
  template <class Expected>
  static Status out_of_memory(const char* argument, const Expected& expected,
                              const std::string& received) {
    return {StatusCode::kOutOfMemory, argument, expected, received};
  }

  bool ok() const { return failure_ == nullptr; }
  // Those of a success are kOk and empty.
  StatusCode code() const { return failure().code; }
  const std::string& argument() const { return failure().argument; }
  const std::string& expected() const { return failure().expected; }
  const std::string& received() const { return failure().received; }

  // The same failure, of element `index` of the argument; ok() must be false.
  Status at(std::int64_t index) &&;

 private:
  struct Release {
    [[gnu::noinline]] void operator()(Failure* failure) const;
  };

  static const char* literal(const char* argument) { return argument; }
  static const char* literal(const std::string& argument) { return argument.c_str(); }

  const Failure& failure() const;

  std::unique_ptr<Failure, Release> failure_;
};

// "INVALID_ARGUMENT", "OUT_OF_MEMORY", ... ; "OK" for success.
const char* to_string(StatusCode code);

}  // namespace headwise

// Leaves the enclosing function with the status when it is not ok.
#define HEADWISE_RETURN_IF_ERROR(expression)           \
  do {                                                 \
    ::headwise::Status headwise_status = (expression); \
    if (!headwise_status.ok()) return headwise_status; \
  } while (false)
