// One pass of latent attention over strided views: what the op and the layer share.
#pragma once

#include <cstdint>

#include "headwise/latent_attention.hpp"

namespace headwise {

class LatentAttentionPass {
 public:
  struct Views {
    Tensor<const float, 4> query_nope;  // [B, H, Sq, nope]
    Tensor<const float, 4> query_rope;  // [B, H, Sq, rope]
    Tensor<const float, 3> latent;      // [B, Skv, latent]
    Tensor<const float, 3> key_rope;    // [B, Skv, rope]
    Tensor<float, 4> output;            // [B, H, Sq, Dv]
  };

  // `call` and `shape` are those of the op on expanded heads, validated.
  LatentAttentionPass(const LatentWeights& weights, const Views& views, const AttentionCall& call,
                      const AttentionShape& shape)
      : weights_(weights), views_(views), call_(call), shape_(shape) {}

  // Outputs other than result.output, which is views.output.
  Status run(LatentForm form, const LatentAttentionResult& result);

 private:
  Status expand(AttentionProblem* problem);
  Status absorb(AttentionProblem* problem);
  Status raise_values();

  const LatentWeights& weights_;
  const Views& views_;
  const AttentionCall& call_;
  const AttentionShape& shape_;
  Buffer<float> query_, key_, value_, sums_;
};

// The op's call on expanded heads, for validate and resolve: shapes without data.
AttentionCall expanded_call(const LatentAttentionSizes& sizes, std::int64_t batch,
                            std::int64_t query_length, std::int64_t kv_length,
                            const AttentionCall& options);

}  // namespace headwise
