#include "headwise/status.hpp"

namespace headwise {

Status::Status() = default;
Status::Status(StatusCode its_code, std::string its_argument, std::string its_expected,
               std::string its_received)
    : code(its_code),
      argument(std::move(its_argument)),
      expected(std::move(its_expected)),
      received(std::move(its_received)) {}
Status::Status(const Status& other) = default;
Status::Status(Status&& other) noexcept = default;
Status& Status::operator=(const Status& other) = default;
Status& Status::operator=(Status&& other) noexcept = default;
Status::~Status() = default;

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
