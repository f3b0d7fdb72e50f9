// Multi-head latent attention (MLA, DeepSeek-V2 2024): keys and values of all heads are made from
// one narrow latent per position, beside a rotary key that all heads share.
//
//   key of head h   = [latent uk[h] | key_rope],  value of head h = latent uv[h]
//   query of head h = [query_nope[h] | query_rope[h]],  scale = 1 / sqrt(nope + rope)
//
// Two forms with the same output: expanded makes keys and values of every head; absorbed moves uk
// into the query and uv behind the sum, so that all heads read the latents themselves.
// Leaves out the norms that some checkpoints have on their latents, and caches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "headwise/attention.hpp"
#include "headwise/linear.hpp"
#include "headwise/memory.hpp"
#include "headwise/rotary.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

enum class LatentForm { kExpanded, kAbsorbed };

struct LatentAttentionSizes {
  std::int64_t heads = 0, nope_dim = 0, rope_dim = 0, latent_dim = 0, value_head_dim = 0;
};

// Where results go; contiguous, null = not wanted.
struct LatentAttentionResult {
  float* output = nullptr;  // the op: [B, H, Sq, Dv]; the layer: [B, S, dModel]
  float* scores = nullptr;  // [B, H, Sq, Skv], taken at scores_point
  ScoresPoint scores_point = ScoresPoint::kNone;
  float* weights = nullptr;  // [B, H, Sq, Skv]
};

// uk and uv, packed for both forms.
class LatentWeights {
 public:
  // uk [H, latent, nope], uv [H, latent, Dv], contiguous.
  Status create(const LatentAttentionSizes& sizes, const float* uk, const float* uv);

 private:
  friend class LatentAttentionRun;

  LatentAttentionSizes sizes_;
  Linear key_up_;        // latent -> keys of each head (expanded)
  Linear query_absorb_;  // query_nope of each head -> latents (absorbed)
  Linear value_up_;      // latent -> values of each head (both)
};

// --- The op, on projected and rotated inputs ----------------------------------------------------

struct LatentAttentionInputs {
  TensorArgument query_nope;  // [B, H, Sq, nope]
  TensorArgument query_rope;  // [B, H, Sq, rope]
  TensorArgument latent;      // [B, Skv, latent]
  TensorArgument key_rope;    // [B, Skv, rope]
  TensorArgument uk;          // [H, latent, nope]
  TensorArgument uv;          // [H, latent, Dv]
};

// `options`: those of the op; its tensors are filled in here. Past keys and caches are not for MLA.
Status validate(const LatentAttentionInputs& inputs, const AttentionCall& options,
                AttentionShape* shape);
// All of it at once; in slices: latent_attention_run.hpp.
Status latent_attention(const LatentAttentionInputs& inputs, LatentForm form,
                        const AttentionCall& options, const LatentAttentionResult& result);

// --- The layer ---------------------------------------------------------------------------------

struct LatentAttentionConfig {
  std::int64_t d_model = 0, num_heads = 0;
  std::int64_t nope_dim = 0, rope_dim = 0;  // rope_dim even; 0 = no positions
  std::int64_t value_head_dim = 0, latent_dim = 0;
  std::optional<std::int64_t> query_latent_dim = {};  // the query's own latent
  RotaryConfig rotary;                                // over the rope columns
};

struct LatentAttentionWeights {
  TensorArgument query;       // [H * (nope + rope), dModel or queryLatentDim]
  TensorArgument query_down;  // [queryLatentDim, dModel], with query_latent_dim
  TensorArgument latent;      // [latentDim + ropeDim, dModel]: the latent, then the rotary key
  TensorArgument uk, uv;      // as in the op
  TensorArgument output;      // [dModel, H * Dv]
};

struct LatentAttentionCall {
  TensorArgument x;  // [B, S, dModel]
  LatentForm form = LatentForm::kExpanded;
  AttentionCall options;
  const std::int32_t* positions = nullptr;  // [S] or [B, S]; default 0, 1, ...
  int positions_rank = 0;                   // 0 = not given
  std::array<std::int64_t, 8> positions_dims{};
};

class LatentAttention {
 public:
  Status create(const LatentAttentionConfig& config, const LatentAttentionWeights& weights);
  Status validate(const LatentAttentionCall& call, AttentionShape* shape) const;
  // All of it at once; in slices: latent_attention_run.hpp.
  Status forward(const LatentAttentionCall& call, const LatentAttentionResult& result) const;
  const LatentAttentionConfig& config() const { return config_; }

 private:
  friend class LatentAttentionRun;

  LatentAttentionConfig config_;
  Linear query_down_, query_, latent_, output_;
  LatentWeights weights_;
};

}  // namespace headwise
