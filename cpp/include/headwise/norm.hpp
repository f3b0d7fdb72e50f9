// Layer normalisation over the last axis (Ba et al. 2016) and its form without mean and bias,
// RMSNorm (Zhang and Sennrich 2019), with what interpretability tools look at on the way.
#pragma once

#include <cstdint>

#include "headwise/tensor.hpp"

namespace headwise {

// Intermediate results, each null unless wanted.
struct NormActivations {
  float* scale = nullptr;  // [N]: sqrt(variance + epsilon), population variance; RMS: of squares
  float* normalized = nullptr;  // [N, D] contiguous: (x - mean) / scale, before weight and bias
};

// y = (x - mean) / scale * weight + bias. x, y [N, D], rows strided, innermost strides 1; y may be
// x. weight and bias [D]. y has the same bits with and without the intermediate results.
void layer_norm(const Tensor<const float, 2>& x, const float* weight, const float* bias,
                float epsilon, const Tensor<float, 2>& y, const NormActivations& activations = {});

// y = x / sqrt(mean(x^2) + epsilon) * weight.
void rms_norm(const Tensor<const float, 2>& x, const float* weight, float epsilon,
              const Tensor<float, 2>& y, const NormActivations& activations = {});

}  // namespace headwise
