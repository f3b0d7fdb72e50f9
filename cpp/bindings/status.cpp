// The record and the last failure, as JavaScript asks for them.
#include "status.hpp"

#include <emscripten/bind.h>

#include <string>

#include "record.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

struct Failure {
  std::string code, argument, expected, received;
};

Failure& last_failure() {
  static Failure failure;
  return failure;
}

Failure failure() { return last_failure(); }

Number record_address() { return address_of(record.data()); }

}  // namespace

bool succeeded(const Status& status) {
  if (status.ok()) return true;
  last_failure() = {to_string(status.code()), status.argument(), status.expected(),
                    status.received()};
  return false;
}

}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_status) {
  using namespace headwise::bindings;
  value_object<Failure>("Failure")
      .field("code", &Failure::code)
      .field("argument", &Failure::argument)
      .field("expected", &Failure::expected)
      .field("received", &Failure::received);
  function("failure", &failure);
  function("recordAddress", &record_address);
}
