// ALiBi (Press et al. 2022): a bias of -slope * distance for each head, which favours near keys and
// needs no position embedding. In causal attention that is the paper's slope * (j - i); without a
// causal mask the keys behind count by their distance too, as encoders use it.
#pragma once

#include <cstdint>

#include "headwise/attention.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise {

// The slopes of the paper, [num_heads]: 2^(-8 / n), 2^(-16 / n), ... where n is a power of two; the
// other counts take those of the next lower power, then every second one of the next higher.
void alibi_slopes(std::int64_t num_heads, float* slopes);

// Adds the bias to the problem's mask; slopes [Hq], key_length = Skv with what a cache holds. The
// bias depends on the distance alone, so that a band of Sq + Skv - 1 numbers a head holds all of
// it; only together with a mask it is written out, [B or 1, Hq, Sq, Skv]. `storage` must outlive
// the problem.
Status add_alibi(const float* slopes, std::int64_t key_length, AttentionProblem* problem,
                 Buffer<float>* storage);

}  // namespace headwise
