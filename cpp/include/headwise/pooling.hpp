// From the hidden states of a sequence to one vector, as sentence encoders do it.
#pragma once

#include <cstdint>

#include "headwise/tensor.hpp"

namespace headwise {

// Mean over the real positions of hidden [B, S, D], optionally scaled to length 1: pooled [B, D]
// contiguous. key_mask [B, S] (nonzero = a real token) or null. A sequence without a real token
// gives zeros.
void mean_pool(const Tensor<const float, 3>& hidden, const std::uint8_t* key_mask, bool normalize,
               float* pooled);

}  // namespace headwise
