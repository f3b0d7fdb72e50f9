// Activation functions on four floats, as objects: a loop loads their numbers once.
#pragma once

#include <utility>

#include "headwise/activations.hpp"
#include "kernels/elementary.hpp"
#include "kernels/simd.hpp"

namespace headwise::kernels {

// p of the lower tail below, from the highest power down, and where the tail ends. In memory for
// the reason of Exp2Coefficients.
struct TailCoefficients {
  float powers[9];
  float end;
};
extern const TailCoefficients kTailCoefficients;

// x * Phi(x), Phi being the normal distribution. Phi(-a) for a >= 0 is 2^-p(a) with a polynomial p,
// so that the tail keeps its relative accuracy: the minimax fit of -log2 Phi(-a) on [0, 6],
// weighted by what it does to a * Phi(-a); there it is within 7e-8, and 0 beyond 6 (Phi(-6) =
// 1e-9).
class Gelu {
 public:
  simd::F32x4 operator()(simd::F32x4 x) const {
    const simd::F32x4 magnitude = xsimd::abs(x);
    simd::F32x4 p = simd::splat(kTailCoefficients.powers[0]);
    for (int i = 1; i < 9; ++i) {
      p = simd::multiply_add(p, magnitude, simd::splat(kTailCoefficients.powers[i]));
    }
    const simd::F32x4 zero = simd::splat(0.0F);
    const simd::F32x4 tail = xsimd::select(magnitude > end_, zero, exp2_(-p));
    return x * xsimd::select(x < zero, tail, one_ - tail);
  }

 private:
  Exp2NonPositive exp2_;
  simd::F32x4 one_ = simd::splat(1.0F);
  simd::F32x4 end_ = simd::splat(kTailCoefficients.end);
};

struct Relu {
  simd::F32x4 operator()(simd::F32x4 x) const {
    return xsimd::select(x < simd::splat(0.0F), simd::splat(0.0F), x);  // NaN stays NaN
  }
};

// 1 / (1 + 2^-x), by the exponential of a negative number on either side.
class Sigmoid2 {
 public:
  simd::F32x4 operator()(simd::F32x4 x) const {
    const simd::F32x4 decay = exp2_(-xsimd::abs(x));
    const simd::F32x4 numerator = xsimd::select(x < simd::splat(0.0F), decay, one_);
    return numerator / (one_ + decay);
  }

 private:
  Exp2NonPositive exp2_;
  simd::F32x4 one_ = simd::splat(1.0F);
};

// x * sigmoid(x * (linear + cubic x^2)), the factors for powers of two: SiLU, and GELU's
// approximation by tanh, since 1 + tanh(u) = 2 sigmoid(2 u).
class Swish {
 public:
  Swish(float linear, float cubic)
      : linear_(simd::splat(linear * kLog2E)), cubic_(simd::splat(cubic * kLog2E)) {}

  simd::F32x4 operator()(simd::F32x4 x) const {
    return x * sigmoid_(x * simd::multiply_add(cubic_, x * x, linear_));
  }

 private:
  Sigmoid2 sigmoid_;
  simd::F32x4 linear_, cubic_;
};

struct Identity {
  simd::F32x4 operator()(simd::F32x4 x) const { return x; }
};

// Calls visit(activation) with the object of the function.
template <class Visit>
inline void with_activation(ActivationFunction function, Visit&& visit) {
  switch (function) {
    case ActivationFunction::kGelu:
      return visit(Gelu());
    case ActivationFunction::kRelu:
      return visit(Relu());
    case ActivationFunction::kGeluTanh:
    case ActivationFunction::kSilu: {
      constexpr float kTwoRootTwoByPi = 1.5957691216057308F;  // 2 sqrt(2 / pi)
      const bool silu = function == ActivationFunction::kSilu;
      return visit(silu ? Swish(1.0F, 0.0F) : Swish(kTwoRootTwoByPi, kTwoRootTwoByPi * 0.044715F));
    }
    case ActivationFunction::kIdentity:
      return visit(Identity());
  }
}

}  // namespace headwise::kernels
