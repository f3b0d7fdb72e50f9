// What the parts of a forward pass do with rows.
#pragma once

#include <cstdint>

#include "headwise/tensor.hpp"
#include "kernels/simd.hpp"

namespace headwise {

// Rows that pass the feed-forward layer together: its hidden rows then stay in the second-level
// cache between the products.
inline constexpr std::int64_t kHiddenRows = 96;

inline Tensor<float, 2> rows_of(float* data, std::int64_t rows, std::int64_t width) {
  return Tensor<float, 2>::contiguous(data, {rows, width});
}
inline Tensor<const float, 2> rows_of(const float* data, std::int64_t rows, std::int64_t width) {
  return Tensor<const float, 2>::contiguous(data, {rows, width});
}

// sum += x
inline void add(const float* x, std::int64_t count, float* sum) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) simd::store(sum + i, simd::load(sum + i) + simd::load(x + i));
  for (; i < count; ++i) sum[i] += x[i];
}

// y *= x
inline void multiply(const float* x, std::int64_t count, float* y) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) simd::store(y + i, simd::load(y + i) * simd::load(x + i));
  for (; i < count; ++i) y[i] *= x[i];
}

}  // namespace headwise
