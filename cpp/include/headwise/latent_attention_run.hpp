// One pass of latent attention in slices, each a few tens of milliseconds, so that a Worker hears
// messages in between.
#pragma once

#include <cstdint>

#include "headwise/attention.hpp"
#include "headwise/latent_attention.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

class LatentAttentionRun {
 public:
  // The op. Everything is judged here; inputs and results must outlive the run, which must stay
  // where it is.
  Status begin(const LatentAttentionInputs& inputs, LatentForm form, const AttentionCall& options,
               const LatentAttentionResult& result);
  // The layer, which must outlive the run too.
  Status begin(const LatentAttention& layer, const LatentAttentionCall& call,
               const LatentAttentionResult& result);
  // One slice. *done is set when nothing is left. A failed step ends the run.
  Status step(bool* done);
  // All that is left.
  Status finish();

 private:
  // What a pass reads and writes, strided.
  struct Views {
    Tensor<const float, 4> query_nope;  // [B, H, Sq, nope]
    Tensor<const float, 4> query_rope;  // [B, H, Sq, rope]
    Tensor<const float, 3> latent;      // [B, Skv, latent]
    Tensor<const float, 3> key_rope;    // [B, Skv, rope]
    Tensor<float, 4> output;            // [B, H, Sq, Dv]
  };
  enum class Phase { kProject, kPrepare, kAttend, kRaise, kOutput, kDone };

  Status start(LatentForm form, const AttentionCall& options);
  void enter(Phase phase);
  Status project(std::int64_t first, std::int64_t count);
  Status project_query(const Tensor<const float, 2>& x, std::int64_t first);
  Status split_projections();
  Status plan_expanded();
  Status plan_absorbed();
  Status prepare(std::int64_t piece);
  Status expand(std::int64_t b, std::int64_t h);
  Status absorb(std::int64_t b, std::int64_t h);
  Status raise(std::int64_t piece);
  Status put_out(std::int64_t first, std::int64_t count);
  Status leave();

  std::int64_t rows() const { return shape_.batch * shape_.query_length; }
  std::int64_t pieces() const;
  double piece_cost() const;

  const LatentWeights* weights_ = nullptr;
  const LatentAttention* layer_ = nullptr;  // null for the op
  LatentWeights own_weights_;               // of the op
  LatentAttentionCall layer_call_;
  LatentAttentionResult result_;
  LatentForm form_ = LatentForm::kExpanded;
  AttentionCall call_;  // on expanded heads
  AttentionShape shape_;
  Views views_;
  AttentionProblem problem_;
  AttentionPlan plan_;
  Phase phase_ = Phase::kDone;
  std::int64_t next_ = 0;  // piece of the phase
  // Of the layer.
  Buffer<float> query_rows_, latent_rows_, z_;
  // What the attention op reads: queries, keys and values of every head; or queries in the space of
  // the latents, the latents with their rotary parts, and what the weighted sums of latents are.
  Buffer<float> query_, key_, value_, sums_;
};

}  // namespace headwise
