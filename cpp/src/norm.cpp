#include "headwise/norm.hpp"

#include <algorithm>
#include <cmath>

#include "headwise/parallel.hpp"
#include "kernels/simd.hpp"

namespace headwise {

namespace {

using simd::F32x4;

// Four chains of additions, as long as the adder's latency.
constexpr std::int64_t kStep = 16;

// Sum of (x[i] - shift)^Power, Power 1 or 2.
template <int Power>
float power_sum(const float* x, std::int64_t count, float shift) {
  const F32x4 shift4 = simd::splat(shift);
  F32x4 sums[4] = {simd::splat(0.0F), simd::splat(0.0F), simd::splat(0.0F), simd::splat(0.0F)};
  std::int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    for (int c = 0; c < 4; ++c) {
      const F32x4 difference = simd::load(x + i + 4 * c) - shift4;
      sums[c] =
          Power == 1 ? sums[c] + difference : simd::multiply_add(difference, difference, sums[c]);
    }
  }
  float rest = 0.0F;
  for (; i < count; ++i) {
    const float difference = x[i] - shift;
    rest += Power == 1 ? difference : difference * difference;
  }
  return simd::horizontal_sum((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
}

// Moments in two passes, so that a large mean does not cost the variance its digits. Without a bias
// it is RMSNorm, whose mean is 0 by definition.
void normalize_row(const float* x, std::int64_t width, const float* weight, const float* bias,
                   float epsilon, float* y, float* scale_out, float* normalized) {
  const float count = static_cast<float>(width);
  const float mean = bias == nullptr ? 0.0F : power_sum<1>(x, width, 0.0F) / count;
  const float scale = std::sqrt(power_sum<2>(x, width, mean) / count + epsilon);
  if (scale_out != nullptr) *scale_out = scale;
  const float inverse = 1.0F / scale;
  std::int64_t i = 0;
  for (; i + 4 <= width; i += 4) {
    const F32x4 value = (simd::load(x + i) - simd::splat(mean)) * simd::splat(inverse);
    if (normalized != nullptr) simd::store(normalized + i, value);
    const F32x4 scaled = value * simd::load(weight + i);
    simd::store(y + i, bias == nullptr ? scaled : scaled + simd::load(bias + i));
  }
  for (; i < width; ++i) {
    const float value = (x[i] - mean) * inverse;
    if (normalized != nullptr) normalized[i] = value;
    y[i] = value * weight[i] + (bias == nullptr ? 0.0F : bias[i]);
  }
}

}  // namespace

void layer_norm(const Tensor<const float, 2>& x, const float* weight, const float* bias,
                float epsilon, const Tensor<float, 2>& y, const NormActivations& activations) {
  const std::int64_t rows = x.dims[0];
  const std::int64_t width = x.dims[1];
  constexpr std::int64_t kBlock = 32;
  parallel_for((rows + kBlock - 1) / kBlock, [&](std::int64_t piece, int) {
    const std::int64_t end = std::min(rows, (piece + 1) * kBlock);
    for (std::int64_t row = piece * kBlock; row < end; ++row) {
      normalize_row(
          x.at(row), width, weight, bias, epsilon, y.at(row),
          activations.scale == nullptr ? nullptr : activations.scale + row,
          activations.normalized == nullptr ? nullptr : activations.normalized + row * width);
    }
  });
}

void rms_norm(const Tensor<const float, 2>& x, const float* weight, float epsilon,
              const Tensor<float, 2>& y, const NormActivations& activations) {
  layer_norm(x, weight, nullptr, epsilon, y, activations);
}

}  // namespace headwise
