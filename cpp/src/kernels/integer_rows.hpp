// Rounding a row of activations to the integers that an int8 layer multiplies.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/integer_tile.hpp"
#include "kernels/simd.hpp"

namespace headwise::kernels {

// The largest activation: 13 bits, fewer where in * 127 * 2^bits would not fit 31.
constexpr std::int32_t activation_limit(std::int64_t in) {
  int bits = 13;
  while (bits > 1 && in * 127 * (std::int64_t{1} << bits) >= (std::int64_t{1} << 31)) --bits;
  return (1 << bits) - 1;
}

// The largest magnitude of a row; *finite tells whether there is no NaN or infinity in it.
inline float largest_magnitude(const float* x, std::int64_t count, bool* finite) {
  simd::F32x4 largest4 = simd::splat(0.0F);
  simd::F32x4 probe4 = simd::splat(0.0F);  // x * 0 is NaN for an offender
  std::int64_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const simd::F32x4 value = simd::load(x + k);
    largest4 = simd::pseudo_max(largest4, xsimd::abs(value));
    probe4 += value * simd::splat(0.0F);
  }
  float largest = simd::horizontal_max(largest4);
  float probe = simd::horizontal_sum(probe4);
  for (; k < count; ++k) {
    largest = std::max(largest, std::fabs(x[k]));
    probe += x[k] * 0.0F;
  }
  *finite = probe == 0.0F;
  return largest;
}

inline void store_quad(IntegerKernel kernel, simd::I32x4 values, std::int16_t* integers) {
  if (kernel == IntegerKernel::kQuads) {
    simd::store_parts(reinterpret_cast<std::int8_t*>(integers), values + simd::I32x4(kQuadOffset));
  } else {
    simd::store_narrowed(integers, values);
  }
}

// integers[k] = round(x[k] * limit / max |x|) for k in [first, last), zeros up to whole quads, in
// the kernel's form; the return value is what one unit is worth. The rounding is the same on every
// build: a plain product and the nearest even integer. NaN or infinity anywhere in x makes the unit
// NaN.
inline float round_to_integers(IntegerKernel kernel, const float* x, std::int64_t count,
                               std::int64_t first, std::int64_t last, std::int32_t limit,
                               std::int16_t* integers) {
  bool finite = true;
  const float largest = largest_magnitude(x, count, &finite);
  const bool blank = !finite || largest == 0.0F;
  // A row of nothing but numbers below 1e-34 would make the factor infinite.
  const float factor = blank ? 0.0F : std::min(static_cast<float>(limit) / largest, 1e37F);
  constexpr float kMagic = 12582912.0F;  // 1.5 * 2^23: the sum's last bit is worth 1
  const simd::I32x4 magic = xsimd::bitwise_cast<std::int32_t>(simd::splat(kMagic));
  for (std::int64_t k = first / kQuad * kQuad; k < last; k += kQuad) {
    float lanes[kQuad] = {};
    const float* source = x + k;
    if (blank || k < first || k + kQuad > last) {
      for (std::int64_t i = std::max(k, first); !blank && i < std::min(k + kQuad, last); ++i) {
        lanes[i - k] = x[i];
      }
      source = lanes;
    }
    const simd::F32x4 shifted = simd::load(source) * simd::splat(factor) + simd::splat(kMagic);
    store_quad(kernel, xsimd::bitwise_cast<std::int32_t>(shifted) - magic, integers + k);
  }
  if (!finite) return std::numeric_limits<float>::quiet_NaN();
  return largest == 0.0F ? 0.0F : 1.0F / factor;
}

}  // namespace headwise::kernels
