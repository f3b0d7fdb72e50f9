#include "headwise/status.hpp"

#include <utility>

#include "text.hpp"

namespace headwise {

Status::Status(StatusCode code, const char* argument, const std::string& expected,
               const std::string& received)
    : failure_(new Failure{
          .code = code, .argument = argument, .expected = expected, .received = received}) {}

Status::Status(StatusCode code, const char* argument, const char* expected,
               const std::string& received)
    : Status(code, argument, std::string(expected), received) {}

Status Status::at(std::int64_t index) && {
  failure_->argument.append("[").append(text(index)).append("]");
  return std::move(*this);
}

void Status::Release::operator()(Failure* failure) const { delete failure; }

const Failure& Status::failure() const {
  static const Failure none;
  return ok() ? none : *failure_;
}

const char* to_string(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "OK";
    case StatusCode::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case StatusCode::kUnsupported:
      return "UNSUPPORTED";
    case StatusCode::kOutOfMemory:
      return "OUT_OF_MEMORY";
    case StatusCode::kInternal:
      return "INTERNAL";
  }
  return "INTERNAL";
}

}  // namespace headwise
