// Seeded random numbers, the same sequence on every platform: splitmix64 (Steele et al. 2014), and
// Gaussian numbers by Box and Muller. Not for secrets.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "sine_cosine.hpp"

namespace headwise {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  // In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  // In [0, count), count >= 1.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(uniform() * static_cast<double>(count));
  }
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * sine_cosine(2.0 * std::numbers::pi * uniform()).cosine;
  }

 private:
  std::uint64_t state_;
};

}  // namespace headwise
