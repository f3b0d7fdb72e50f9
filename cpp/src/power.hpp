// Powers without std::pow, which brings 6 KB of code and tables to every WebAssembly build.
#pragma once

#include <cmath>

namespace headwise {

// base^exponent for base > 0, relatively within |exponent * log(base)| + 1 units of the last place.
inline double power(double base, double exponent) { return std::exp(exponent * std::log(base)); }

}  // namespace headwise
