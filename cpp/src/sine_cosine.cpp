#include "sine_cosine.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace headwise {

namespace {

// An eighth of the circle, and a little for what rounding leaves.
constexpr double kEighth = std::numbers::pi / 4.0 * (1.0 + 1e-9);

// pi / 2 in parts of 22 bits, so that a multiple of the first three below 2^31 is exact (Cody and
// Waite 1980).
constexpr std::array<double, 4> kQuarterParts = {0x1.921fbp+0, 0x1.5110bp-22, 0x1.184698p-44,
                                                 0x1.3198a2e037073p-69};

// The sums of Taylor's series of degree 15 and 16, for |x| <= pi / 4.
SineCosine series(double x) {
  const double square = x * x;
  double sine = 1.0;
  double cosine = 1.0;
  for (int n = 15; n > 1; n -= 2) {
    cosine = 1.0 - square / (n * (n + 1)) * cosine;
    sine = 1.0 - square / (n * (n - 1)) * sine;
  }
  return {x * sine, 1.0 - square / 2.0 * cosine};
}

}  // namespace

SineCosine sine_cosine(double angle) {
  if (!std::isfinite(angle)) return {std::nan(""), std::nan("")};
  double quarters = 0.0;
  // Once for any position of a model; again as long as an angle is too large for exact multiples.
  while (std::fabs(angle) > kEighth) {
    const double count = std::nearbyint(angle / (std::numbers::pi / 2.0));
    for (const double part : kQuarterParts) angle -= count * part;
    quarters += count - 4.0 * std::floor(count / 4.0);
  }
  const auto [sine, cosine] = series(angle);
  switch (static_cast<int>(quarters) % 4) {
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    case 3:
      return {-cosine, sine};
    default:
      return {sine, cosine};
  }
}

}  // namespace headwise
