// ALiBi (Press et al. 2022): a bias slope * (key position - query position) for each head, which
// favours near keys and needs no position embedding.
#pragma once

#include <cstdint>

namespace headwise {

// The slopes of the paper, [num_heads]: 2^(-8 / n), 2^(-16 / n), ... where n is a power of two; the
// other counts take those of the next lower power, then every second one of the next higher.
void alibi_slopes(std::int64_t num_heads, float* slopes);

// The bias depends on j - i alone, so one band a head holds all of it and no [Sq, Skv] is needed:
// band [num_heads, query_length + key_length - 1] contiguous, where bias[h, i, j] is entry
// (query_length - 1) + j - i of band h = slopes[h] * (j - (i + offset)).
void alibi_band(const float* slopes, std::int64_t num_heads, std::int64_t query_length,
                std::int64_t key_length, std::int64_t offset, float* band);

}  // namespace headwise
