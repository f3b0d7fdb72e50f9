// Elementary functions on four floats: 2^x for x <= 0 and tanh, each to about one unit in the last
// place. Leaves out what the kernels never ask for (positive exponents, subnormal results).
#pragma once

#include <cstdint>
#include <numbers>

#include "kernels/simd.hpp"

namespace headwise::kernels {

inline constexpr float kLog2E = std::numbers::log2e_v<float>;

// The numbers of exp2, in memory and not in the code: as constants, compilers put them into the
// loop's body, where V8 builds each anew every time from integer registers.
struct Exp2Coefficients {
  float magic, fifth, fourth, third, second, first, one, lowest;
};
extern const Exp2Coefficients kExp2Coefficients;

// 2^x for x <= 0; exactly 0 below -126 and for -infinity; NaN stays NaN.
// Adding 1.5 * 2^23 rounds x to the nearest integer n and leaves n in the low bits; 2^(x - n) on
// [-1/2, 1/2] is the minimax polynomial of degree 5 with value 1 at 0 (relative error 9.1e-8,
// 1.9e-7 once rounded to float). An object, so that a loop loads the coefficients once.
class Exp2NonPositive {
 public:
  simd::F32x4 operator()(simd::F32x4 x) const {
    const simd::F32x4 shifted = x + magic_;
    const simd::F32x4 fraction = x - (shifted - magic_);
    simd::F32x4 power = simd::multiply_add(fifth_, fraction, fourth_);
    power = simd::multiply_add(power, fraction, third_);
    power = simd::multiply_add(power, fraction, second_);
    power = simd::multiply_add(power, fraction, first_);
    power = simd::multiply_add(power, fraction, one_);
    // 2^n multiplies rather than being added to the bits, so that a NaN survives; adding the bits
    // of 1.0 after the shift is adding 127 before it.
    const simd::I32x4 scale = (xsimd::bitwise_cast<std::int32_t>(shifted) << 23) +
                              xsimd::bitwise_cast<std::int32_t>(one_);
    const simd::F32x4 result = power * xsimd::bitwise_cast<float>(scale);
    return xsimd::select(x < lowest_, simd::splat(0.0F), result);
  }

 private:
  simd::F32x4 magic_ = simd::splat(kExp2Coefficients.magic);
  simd::F32x4 fifth_ = simd::splat(kExp2Coefficients.fifth);
  simd::F32x4 fourth_ = simd::splat(kExp2Coefficients.fourth);
  simd::F32x4 third_ = simd::splat(kExp2Coefficients.third);
  simd::F32x4 second_ = simd::splat(kExp2Coefficients.second);
  simd::F32x4 first_ = simd::splat(kExp2Coefficients.first);
  simd::F32x4 one_ = simd::splat(kExp2Coefficients.one);
  simd::F32x4 lowest_ = simd::splat(kExp2Coefficients.lowest);
};

inline simd::F32x4 exp2_nonpositive(simd::F32x4 x) { return Exp2NonPositive()(x); }

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
