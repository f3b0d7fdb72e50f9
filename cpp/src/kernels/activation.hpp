// Activation functions on four floats.
#pragma once

#include "headwise/activations.hpp"
#include "kernels/elementary.hpp"
#include "kernels/simd.hpp"

namespace headwise::kernels {

// Phi(-a) for a >= 0, the normal distribution's lower tail: 2^-p(a) with a polynomial p, so that
// the tail keeps its relative accuracy. p is the minimax fit of -log2 Phi(-a) on [0, 6], weighted
// by what it does to a * Phi(-a); there it is within 7e-8, and 0 beyond 6 (Phi(-6) = 1e-9).
inline simd::F32x4 normal_lower_tail(simd::F32x4 a) {
  simd::F32x4 p = simd::splat(1.2293338613744709e-06F);
  p = simd::multiply_add(p, a, simd::splat(-2.0201425286359154e-05F));
  p = simd::multiply_add(p, a, simd::splat(9.553135168971494e-05F));
  p = simd::multiply_add(p, a, simd::splat(3.544798237271607e-04F));
  p = simd::multiply_add(p, a, simd::splat(-7.345856167376041e-03F));
  p = simd::multiply_add(p, a, simd::splat(5.269130691885948e-02F));
  p = simd::multiply_add(p, a, simd::splat(4.591428339481354e-01F));
  p = simd::multiply_add(p, a, simd::splat(1.1511136293411255F));
  p = simd::multiply_add(p, a, simd::splat(9.999998211860657e-01F));
  const simd::F32x4 tail = exp2_nonpositive(-p);
  return xsimd::select(a > simd::splat(6.0F), simd::splat(0.0F), tail);
}

// x * Phi(x).
inline simd::F32x4 gelu(simd::F32x4 x) {
  const simd::F32x4 tail = normal_lower_tail(xsimd::abs(x));
  return x * xsimd::select(x < simd::splat(0.0F), tail, simd::splat(1.0F) - tail);
}

inline simd::F32x4 relu(simd::F32x4 x) {
  return xsimd::select(x < simd::splat(0.0F), simd::splat(0.0F), x);  // NaN stays NaN
}

inline simd::F32x4 activate(ActivationFunction function, simd::F32x4 x) {
  switch (function) {
    case ActivationFunction::kGelu:
      return gelu(x);
    case ActivationFunction::kRelu:
      return relu(x);
    case ActivationFunction::kIdentity:
      break;
  }
  return x;
}

}  // namespace headwise::kernels
