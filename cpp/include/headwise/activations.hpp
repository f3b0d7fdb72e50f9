// Elementwise activation functions of feed-forward layers.
//   GELU       x * Phi(x), by the error function
//   GELU tanh  its approximation 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) of GPT-2
//   SiLU       x / (1 + e^-x), also called swish
#pragma once

#include <cstdint>

namespace headwise {

enum class ActivationFunction { kIdentity, kGelu, kRelu, kGeluTanh, kSilu };

// y[i] = f(x[i]) for i < count; y may be x. Every element gets the same bits wherever it stands.
// All are within 2e-7 of the true value, relative to the larger of 1 and |x|; GELU within 1e-7.
void apply_activation(ActivationFunction function, const float* x, float* y, std::int64_t count);

// y[i] = cap * tanh(x[i] / cap) for i < count; y may be x.
void apply_softcap(float cap, const float* x, float* y, std::int64_t count);

}  // namespace headwise
