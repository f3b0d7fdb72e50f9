// Seeded random numbers for tests: the same on every platform (the standard distributions are not).
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace headwise::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) { state_ += seed * 0x9E3779B97F4A7C15ULL; }

  std::uint64_t bits() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  std::int64_t integer(std::int64_t low, std::int64_t high) {  // both ends included
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double probability) { return uniform() < probability; }
  float normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return static_cast<float>(radius * std::cos(6.283185307179586 * uniform()));
  }
  std::vector<float> normals(std::int64_t count, float scale = 1.0F) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = normal() * scale;
    return values;
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace headwise::test
