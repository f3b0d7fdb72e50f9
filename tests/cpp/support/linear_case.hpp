// Products by linear layers: sizes around the edges of tiles, panels and blocks, and what they
// should be.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "headwise/reference.hpp"
#include "headwise/tensor.hpp"

namespace headwise::test {

inline std::vector<double> widen(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

inline Tensor<const float, 2> view(const float* data, std::int64_t rows, std::int64_t columns) {
  return Tensor<const float, 2>::contiguous(data, {rows, columns});
}

inline Tensor<float, 2> view(float* data, std::int64_t rows, std::int64_t columns) {
  return Tensor<float, 2>::contiguous(data, {rows, columns});
}

struct Sizes {
  std::int64_t rows, in, out;
};

inline constexpr Sizes kSizes[] = {{1, 1, 1},    {1, 7, 9},     {2, 8, 8},   {3, 5, 31},
                                   {4, 33, 16},  {5, 64, 65},   {6, 63, 7},  {7, 16, 24},
                                   {11, 17, 13}, {12, 384, 40}, {13, 2, 96}, {97, 31, 33},
                                   {101, 65, 1}, {64, 1536, 9}};

// |y - exact| <= tolerance * (|x| |w|^T + |b|), the magnitude that rounding errors scale with.
inline void expect_near_exact(const std::vector<float>& y, const std::vector<float>& x,
                              const std::vector<float>& weight, const std::vector<float>& bias,
                              const Sizes& s, double tolerance) {
  std::vector<double> exact(static_cast<std::size_t>(s.rows * s.out));
  std::vector<double> magnitude(exact.size());
  const auto absolute = [](const std::vector<float>& values) {
    std::vector<double> result = widen(values);
    for (double& value : result) value = std::fabs(value);
    return result;
  };
  reference::linear(widen(x).data(), widen(weight).data(), widen(bias).data(), s.rows, s.in, s.out,
                    exact.data());
  reference::linear(absolute(x).data(), absolute(weight).data(), absolute(bias).data(), s.rows,
                    s.in, s.out, magnitude.data());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    ASSERT_LE(std::fabs(y[i] - exact[i]), tolerance * magnitude[i] + 1e-30)
        << "element " << i << " of " << s.rows << " x " << s.in << " x " << s.out;
  }
}

}  // namespace headwise::test
