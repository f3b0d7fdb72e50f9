// Numbers and shapes as error messages show them.
#pragma once

#include <cstdint>
#include <string>

namespace headwise {

// "5", "-3", "0.5", "1e-9", "NaN", "Infinity": as JavaScript prints them, since most readers see
// them there, in at most nine significant digits.
std::string text(double number);

inline std::string text(std::int64_t number) { return std::to_string(number); }

// "[2, 6, 5, 8]"
template <class Dims>
std::string shape_text(const Dims& dims, int rank) {
  std::string result = "[";
  for (int i = 0; i < rank; ++i) {
    if (i > 0) result += ", ";
    result += std::to_string(dims[i]);
  }
  return result + "]";
}

}  // namespace headwise
