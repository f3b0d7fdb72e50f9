// Sine and cosine at once. The standard library's bring 6 KB of code and tables to every
// WebAssembly build, most of it for angles that no position has.
#pragma once

namespace headwise {

struct SineCosine {
  double sine, cosine;
};

// Of an angle in radians: within 3e-16 up to a billion radians, further out within one unit of the
// angle's last place; NaN for infinities and NaN.
SineCosine sine_cosine(double angle);

}  // namespace headwise
