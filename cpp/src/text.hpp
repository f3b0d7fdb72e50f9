// Numbers and shapes as error messages show them. Never inlined: there are hundreds of messages.
#pragma once

#include <cstdint>
#include <string>

namespace headwise {

// "5", "-3", "0.5", "1e-9", "NaN", "Infinity": as JavaScript prints them, since most readers see
// them there, in at most nine significant digits.
[[gnu::noinline]] std::string text(double number);

[[gnu::noinline]] std::string text(std::int64_t number);

// "[2, 6, 5, 8]"
template <class Dims>
[[gnu::noinline]] std::string shape_text(const Dims& dims, int rank) {
  std::string result = "[";
  for (int i = 0; i < rank; ++i) {
    if (i > 0) result += ", ";
    result += text(std::int64_t{dims[i]});
  }
  return result + "]";
}

}  // namespace headwise
