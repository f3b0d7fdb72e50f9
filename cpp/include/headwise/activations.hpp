// Elementwise activation functions of feed-forward layers.
// GELU is the exact one, x * Phi(x) by the error function; its tanh approximation is not offered.
#pragma once

#include <cstdint>

namespace headwise {

enum class ActivationFunction { kIdentity, kGelu, kRelu };

// y[i] = f(x[i]) for i < count; y may be x. Every element gets the same bits wherever it stands.
// GELU is within 1e-7 of the true value, relative to the larger of 1 and |x|.
void apply_activation(ActivationFunction function, const float* x, float* y, std::int64_t count);

}  // namespace headwise
