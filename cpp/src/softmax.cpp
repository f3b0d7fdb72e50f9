#include "headwise/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/elementary.hpp"
#include "kernels/simd.hpp"

namespace headwise {

namespace {

using simd::F32x4;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Four at a time; `fill` stands in the lanes beyond the end.
F32x4 load_part(const float* x, std::int64_t count, float fill) {
  float lanes[4] = {fill, fill, fill, fill};
  std::copy(x, x + count, lanes);
  return simd::load(lanes);
}

void store_part(float* y, std::int64_t count, F32x4 values) {
  float lanes[4];
  simd::store(lanes, values);
  std::copy(lanes, lanes + count, y);
}

void softmax_row(const float* x, std::int64_t count, float* y) {
  const std::int64_t whole = count / 4 * 4;
  const std::int64_t rest = count - whole;
  F32x4 largest4 = simd::splat(-kInfinity);
  for (std::int64_t i = 0; i < whole; i += 4) {
    largest4 = simd::pseudo_max(largest4, simd::load(x + i));
  }
  largest4 = simd::pseudo_max(largest4, load_part(x + whole, rest, -kInfinity));
  const float largest = simd::horizontal_max(largest4);

  // A finite floor keeps -inf - (-inf) out of rows that hide everything.
  const F32x4 floor = simd::splat(std::max(largest, std::numeric_limits<float>::lowest()));
  const F32x4 log2e = simd::splat(kernels::kLog2E);
  F32x4 sum4 = simd::splat(0.0F);
  for (std::int64_t i = 0; i < whole; i += 4) {
    const F32x4 power = kernels::exp2_nonpositive((simd::load(x + i) - floor) * log2e);
    sum4 += power;
    simd::store(y + i, power);
  }
  if (rest > 0) {
    const F32x4 part = load_part(x + whole, rest, -kInfinity);
    const F32x4 power = kernels::exp2_nonpositive((part - floor) * log2e);
    sum4 += power;
    store_part(y + whole, rest, power);
  }
  const float sum = simd::horizontal_sum(sum4);
  const float inverse = sum == 0.0F ? 0.0F : 1.0F / sum;  // a NaN goes on
  const F32x4 inverse4 = simd::splat(inverse);
  for (std::int64_t i = 0; i < whole; i += 4) simd::store(y + i, simd::load(y + i) * inverse4);
  for (std::int64_t i = whole; i < count; ++i) y[i] *= inverse;
}

}  // namespace

void softmax(const Tensor<const float, 2>& x, const Tensor<float, 2>& y) {
  for (std::int64_t row = 0; row < x.dims[0]; ++row) softmax_row(x.at(row), x.dims[1], y.at(row));
}

}  // namespace headwise
