// What judging latent attention and running it share.
#pragma once

#include <cstdint>

#include "headwise/latent_attention.hpp"

namespace headwise {

inline LatentAttentionSizes sizes_of(const LatentAttentionInputs& inputs) {
  return {.heads = inputs.query_nope.dims[1],
          .nope_dim = inputs.query_nope.dims[3],
          .rope_dim = inputs.query_rope.dims[3],
          .latent_dim = inputs.latent.dims[2],
          .value_head_dim = inputs.uv.dims[2]};
}

inline LatentAttentionSizes sizes_of(const LatentAttentionConfig& config) {
  return {.heads = config.num_heads,
          .nope_dim = config.nope_dim,
          .rope_dim = config.rope_dim,
          .latent_dim = config.latent_dim,
          .value_head_dim = config.value_head_dim};
}

// The op's call on expanded heads, for validate and resolve: shapes without data.
AttentionCall expanded_call(const LatentAttentionSizes& sizes, std::int64_t batch,
                            std::int64_t query_length, std::int64_t kv_length,
                            const AttentionCall& options);

}  // namespace headwise
