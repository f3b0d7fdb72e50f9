// Elementary functions on four floats: 2^x for x <= 0 and tanh, each to about one unit in the last
// place. Leaves out what the kernels never ask for (positive exponents, subnormal results).
#pragma once

#include <cstdint>
#include <numbers>

#include "kernels/simd.hpp"

namespace headwise::kernels {

inline constexpr float kLog2E = std::numbers::log2e_v<float>;

// 2^x for x <= 0; exactly 0 below -126 and for -infinity; NaN stays NaN.
// Adding 1.5 * 2^23 rounds x to the nearest integer n and leaves n in the low bits; 2^(x - n) on
// [-1/2, 1/2] is the minimax polynomial of degree 5 with value 1 at 0 (relative error 9.1e-8,
// 1.9e-7 once rounded to float).
inline simd::F32x4 exp2_nonpositive(simd::F32x4 x) {
  using simd::F32x4;
  using simd::I32x4;
  const F32x4 magic = simd::splat(12582912.0F);
  const F32x4 shifted = x + magic;
  const F32x4 fraction = x - (shifted - magic);
  F32x4 power = simd::splat(1.326472690e-3F);
  power = simd::multiply_add(power, fraction, simd::splat(9.671512661e-3F));
  power = simd::multiply_add(power, fraction, simd::splat(5.550733744e-2F));
  power = simd::multiply_add(power, fraction, simd::splat(2.402224208e-1F));
  power = simd::multiply_add(
      power, fraction,
      simd::splat(6.931469776e-1F));  // NOLINT(modernize-use-std-numbers): minimax, not ln 2
  power = simd::multiply_add(power, fraction, simd::splat(1.0F));
  // The scale multiplies rather than being added to the bits, so that a NaN survives.
  const I32x4 exponent = (xsimd::bitwise_cast<std::int32_t>(shifted) + I32x4(127)) << 23;
  const F32x4 result = power * xsimd::bitwise_cast<float>(exponent);
  return xsimd::select(x < simd::splat(-126.0F), simd::splat(0.0F), result);
}

// tanh(x): an odd polynomial near 0 (Cephes' tanhf), 1 - 2 / (e^2|x| + 1) with x's sign elsewhere.
inline simd::F32x4 tanh(simd::F32x4 x) {
  using simd::F32x4;
  const F32x4 square = x * x;
  F32x4 odd = simd::splat(-5.70498872745e-3F);
  odd = simd::multiply_add(odd, square, simd::splat(2.06390887954e-2F));
  odd = simd::multiply_add(odd, square, simd::splat(-5.37397155531e-2F));
  odd = simd::multiply_add(odd, square, simd::splat(1.33314422036e-1F));
  odd = simd::multiply_add(odd, square, simd::splat(-3.33332819422e-1F));
  const F32x4 near_zero = simd::multiply_add(odd * square, x, x);

  const F32x4 magnitude = xsimd::abs(x);
  const F32x4 decay = exp2_nonpositive(magnitude * simd::splat(-2.0F * kLog2E));
  const F32x4 saturated = (simd::splat(1.0F) - decay) / (simd::splat(1.0F) + decay);
  const F32x4 signed_saturated = xsimd::select(x < simd::splat(0.0F), -saturated, saturated);
  return xsimd::select(magnitude < simd::splat(0.625F), near_zero, signed_saturated);
}

}  // namespace headwise::kernels
