// Rounding a row of activations to the integers that an int8 layer multiplies.
#pragma once

#include <algorithm>
#include <bit>
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

// 1.5 * 2^23: once it is added, a sum's last bit is worth 1.
inline constexpr float kRoundingMagic = 12582912.0F;

// The largest magnitude of a row; infinity or more than that when it holds infinity or NaN. The
// bits of magnitudes are ordered as integers, NaN above infinity.
inline std::int32_t largest_magnitude_bits(const float* x, std::int64_t count) {
  const simd::I32x4 magnitude(0x7FFFFFFF);
  simd::I32x4 even(0);
  simd::I32x4 odd(0);
  const auto bits = [&](const float* p) {
    return xsimd::bitwise_cast<std::int32_t>(simd::load(p)) & magnitude;
  };
  std::int64_t k = 0;
  for (; k + 8 <= count; k += 8) {
    even = xsimd::max(even, bits(x + k));
    odd = xsimd::max(odd, bits(x + k + 4));
  }
  std::int32_t lanes[4];
  simd::store(lanes, xsimd::max(even, odd));
  std::int32_t largest = *std::ranges::max_element(lanes);
  for (; k < count; ++k) {
    largest = std::max(largest, std::bit_cast<std::int32_t>(x[k]) & 0x7FFFFFFF);
  }
  return largest;
}

// Four of them in the kernel's form; they come with the bits of kRoundingMagic on top.
template <IntegerKernel Kernel>
inline void store_quad(simd::F32x4 shifted, std::int16_t* integers) {
  constexpr auto kMagicBits = std::bit_cast<std::int32_t>(kRoundingMagic);
  const simd::I32x4 bits = xsimd::bitwise_cast<std::int32_t>(shifted);
  if constexpr (Kernel == IntegerKernel::kQuads) {
    simd::store_parts(reinterpret_cast<std::int8_t*>(integers),
                      bits - simd::I32x4(kMagicBits - kQuadOffset));
  } else {
    simd::store_narrowed(integers, bits - simd::I32x4(kMagicBits));
  }
}

// integers[k] = round(x[k] * factor) for k in [first, last), zeros up to whole quads; all zeros for
// a factor of 0, whatever x is.
template <IntegerKernel Kernel>
inline void round_quads(const float* x, std::int64_t first, std::int64_t last, float factor,
                        std::int16_t* integers) {
  const auto round = [&](const float* source, std::int64_t k) {
    store_quad<Kernel>(simd::load(source) * simd::splat(factor) + simd::splat(kRoundingMagic),
                       integers + k);
  };
  const auto round_part = [&](std::int64_t k) {
    float lanes[kQuad] = {};
    for (std::int64_t i = std::max(k, first); i < std::min(k + kQuad, last); ++i) {
      lanes[i - k] = x[i];
    }
    round(lanes, k);
  };
  std::int64_t k = first / kQuad * kQuad;
  if (factor == 0.0F) {
    for (; k < last; k += kQuad) store_quad<Kernel>(simd::splat(kRoundingMagic), integers + k);
    return;
  }
  if (k < first) {
    round_part(k);
    k += kQuad;
  }
  for (; k + kQuad <= last; k += kQuad) round(x + k, k);
  if (k < last) round_part(k);
}

// integers[k] = round(x[k] * limit / max |x|) for k in [first, last), zeros up to whole quads, in
// the kernel's form; the return value is what one unit is worth. The rounding is the same on every
// build: a plain product and the nearest even integer. NaN or infinity anywhere in x makes the unit
// NaN.
inline float round_to_integers(IntegerKernel kernel, const float* x, std::int64_t count,
                               std::int64_t first, std::int64_t last, std::int32_t limit,
                               std::int16_t* integers) {
  const auto largest = std::bit_cast<float>(largest_magnitude_bits(x, count));
  // A row of nothing but numbers below 1e-34 would make the factor infinite.
  const bool finite = largest <= std::numeric_limits<float>::max();
  const bool blank = !finite || largest == 0.0F;
  const float factor = blank ? 0.0F : std::min(static_cast<float>(limit) / largest, 1e37F);
  if (kernel == IntegerKernel::kQuads) {
    round_quads<IntegerKernel::kQuads>(x, first, last, factor, integers);
  } else {
    round_quads<IntegerKernel::kPairs>(x, first, last, factor, integers);
  }
  if (!finite) return std::numeric_limits<float>::quiet_NaN();
  return largest == 0.0F ? 0.0F : 1.0F / factor;
}

}  // namespace headwise::kernels
