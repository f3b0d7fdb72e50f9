// The one way an operation reports failure: a code plus the three facts a caller needs to repair
// the call. The library is built without exceptions, so every fallible function returns a Status.
#pragma once

#include <string>
#include <utility>

namespace headwise {

// The names cross the bindings as the `code` of a HeadwiseError (see to_string).
enum class StatusCode { kOk, kInvalidArgument, kUnsupported, kOutOfMemory, kInternal };

struct [[nodiscard]] Status {
  StatusCode code = StatusCode::kOk;
  std::string argument;  // the argument at fault, in the spelling of the TypeScript API
  std::string expected;  // what would have been accepted
  std::string received;  // what came instead

  // In status.cpp: every fallible call is followed by some of them, and inlined they would be a
  // good part of a WebAssembly build.
  Status();
  Status(StatusCode code, std::string argument, std::string expected, std::string received);
  Status(const Status& other);
  Status(Status&& other) noexcept;
  Status& operator=(const Status& other);
  Status& operator=(Status&& other) noexcept;
  ~Status();

  bool ok() const { return code == StatusCode::kOk; }

  static Status invalid(std::string argument, std::string expected, std::string received) {
    return {StatusCode::kInvalidArgument, std::move(argument), std::move(expected),
            std::move(received)};
  }
  static Status unsupported(std::string argument, std::string expected, std::string received) {
    return {StatusCode::kUnsupported, std::move(argument), std::move(expected),
            std::move(received)};
  }
  static Status out_of_memory(std::string argument, std::string expected, std::string received) {
    return {StatusCode::kOutOfMemory, std::move(argument), std::move(expected),
            std::move(received)};
  }
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
