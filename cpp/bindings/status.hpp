// How a failure crosses: a call answers whether it succeeded, and JavaScript asks for the rest.
#pragma once

#include "headwise/status.hpp"

namespace headwise::bindings {

// Keeps a failure to be asked for; true when there is none.
bool succeeded(const Status& status);

}  // namespace headwise::bindings
