// One forward pass of a transformer, a part at a time: token ids or pixels in; hidden states,
// logits and activations by name out, with changes made on the way. Names of activations are those
// that Transformer::activation_names() lists.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "headwise/activation_cache.hpp"
#include "headwise/decoding_cache.hpp"
#include "headwise/intervention.hpp"
#include "headwise/memory.hpp"
#include "headwise/multi_head_attention.hpp"
#include "headwise/norm.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"
#include "headwise/transformer.hpp"

namespace headwise {

// What a run is given; everything is copied.
struct TransformerInput {
  const std::int32_t* ids = nullptr;  // [B, S]; of an encoder-decoder the encoder's
  std::int64_t batch = 1, length = 0;
  const std::int32_t* type_ids = nullptr;     // [B, S]; null = all 0
  const std::uint8_t* key_mask = nullptr;     // [B, S], nonzero = a real token; null = all real
  const std::int32_t* decoder_ids = nullptr;  // [B, T], of an encoder-decoder
  std::int64_t decoder_length = 0;
  const std::uint8_t* decoder_key_mask = nullptr;  // [B, T], as key_mask; without a cache
  const float* pixels = nullptr;                   // [B, channels, size, size], of a vision encoder
};

// What output() is to be.
enum class RunOutput {
  kNone,    // nothing: the run ends as soon as every named activation is there, and asks for no
            // parameter behind the last of them
  kHidden,  // the last hidden state, after the final norm
  kHead,    // what the head makes of it; without a head the hidden state
  kLast,    // the same of the last position only
};

struct RunOptions {
  // Activations to keep; * stands for any run of characters.
  std::vector<std::string> names = {};
  std::vector<Intervention> interventions = {};
  // Only blocks before it run (TransformerLens' stop_at_layer); -1 = all. The output is then the
  // residual stream that enters this block, and `names` choose among what has run. An
  // encoder-decoder's blocks are counted through both stacks, and it is given no cache.
  std::int64_t stop_at_layer = -1;
  // The first block that runs (TransformerLens' start_at_layer), on `stream` [B, S, dModel], which
  // is copied, instead of the embedding. Null: all from the embedding on. Not with a cache. In the
  // decoder of an encoder-decoder the stream is [B, T, dModel], and `encoded` [B, S, dModel],
  // copied too, the encoder's last hidden state.
  std::int64_t start_at_layer = 0;
  const float* stream = nullptr;
  const float* encoded = nullptr;
  RunOutput output = RunOutput::kHead;
  // The run continues the text whose past it holds, and is added to it; then without a key mask,
  // but for the encoder's. An encoder-decoder gives `ids` the first time only.
  DecodingCache* cache = nullptr;
};

// The transformer must outlive the run and stay unchanged but for further parameters. Buffers are
// kept for the next begin().
class TransformerRun {
 public:
  // Judges everything: ids in range and there ("ids"), lengths, names, interventions, and that the
  // parameters needed are there.
  Status begin(const Transformer& transformer, const TransformerInput& input,
               const RunOptions& options);

  // The embedding, one block, a norm, or some rows of the head. *done is set when nothing is left.
  // A failed step ends the run, and leaves the cache as it was before it.
  Status step(bool* done);
  std::int64_t steps() const;  // how many step() calls the run takes
  std::int64_t steps_done() const { return next_step_; }

  // Null data before the end. Hidden states [B, S, dModel]; logits [B, S or 1, vocabulary]; of a
  // classifier [B, 1, labels].
  Tensor<const float, 3> output() const;
  // The encoder's last hidden state [B, S, dModel], which the decoder attends to. Null data before
  // the end, where no decoder ran, and with a cache.
  Tensor<const float, 3> encoded() const;
  const ActivationCache& cache() const { return cache_; }

 private:
  using Stack = Transformer::Stack;
  using Block = Transformer::Block;
  using StageKind = Transformer::StageKind;

  using Dims = std::initializer_list<std::int64_t>;

  // A sequence that passes a stack.
  struct Sequence {
    std::int64_t length = 0;
    std::int64_t past = 0;  // positions before it, in the cache
    Buffer<std::int32_t> ids;
    Buffer<float> distance_bias;  // [H, past + 2 length - 1], of relative positions
  };
  // Attention in a block, and the names of its hooks: block, name, hook.
  struct AttentionPlace {
    const MultiHeadAttention* layer;
    const std::string& block;
    const char* name;
    std::int64_t index;  // the block's
    bool cross;
  };

  // transformer_interventions.cpp
  struct Places;
  Places places() const;
  Status take_interventions();
  Status take_intervention(const Places& places, Intervention* intervention);

  // transformer_run.cpp
  Status copy_inputs(const TransformerInput& input);
  Status copy_ids(const std::int32_t* ids, std::int64_t length, std::int64_t past,
                  const char* argument, Sequence* sequence);
  Status copy_type_ids(const std::int32_t* type_ids);
  static Status copy_mask(const std::uint8_t* mask, std::int64_t count, const char* argument,
                          Buffer<std::uint8_t>* copy);
  Status check_cache(const TransformerInput& input) const;
  Status check_parameters() const;
  Status plan_stages();
  Status plan_start(std::int64_t behind);
  Status take_buffers();
  Status take_streams();
  Status take_encoder_cache();
  Status run_stage(const Transformer::Stage& stage);
  // Where to write an activation that is wanted; else null. Where memory is refused, too: then
  // refused_ says so, which ends the step.
  float* keep(const std::string& prefix, const char* name, Dims dims);
  void keep_copy(const std::string& prefix, const char* name, Dims dims, const float* values);
  void keep_stream(const std::string& prefix, const char* name);  // a copy of the residual stream
  void normalize(const Transformer::Norm& norm, const std::string& prefix,
                 const Tensor<float, 2>& x, float* y, std::int64_t length);

  // transformer_embedding.cpp
  Status embed(const Stack& stack);
  void embed_tokens(const Stack& stack, float* target);
  Status embed_image(const Stack& stack, float* target);
  void add_rows(const EmbeddingTable& table, const std::int32_t* ids, float scale,
                const std::string& prefix, const char* name, float* target);
  void add_positions(const Stack& stack, float* target);
  Status fill_distance_bias(const Stack& stack);

  // transformer_block.cpp
  Status run_block(const Stack& stack, std::int64_t index, bool pattern_only);
  Status add_attention(const AttentionPlace& place, const Transformer::Norm& norm,
                       const Transformer::Norm& post_norm, const std::string& norm_name,
                       bool pattern_only);
  Status attend(const AttentionPlace& place, const float* input, float* output);
  Status add_feed_forward(const Block& block, const std::string& prefix, float* input);
  void set_options(const AttentionPlace& place, MultiHeadAttentionCall* call);
  void intervene(const std::string& name, const Tensor<float, 4>& z) const;

  // transformer_head.cpp
  Status plan_head();
  void gather_head_rows(float* target) const;
  Status transform_masked();
  Status run_head();

  const TransformerConfig& config() const { return transformer_->config(); }
  Sequence& sequence() { return sequences_[stack_]; }
  const Sequence& sequence() const { return sequences_[stack_]; }
  std::int64_t rows() const { return batch_ * sequence().length; }
  const Stack& last_stack() const { return transformer_->stacks_.back(); }

  const Transformer* transformer_ = nullptr;
  RunOptions options_;
  std::int64_t batch_ = 0;
  std::size_t first_stage_ = 0, last_stage_ = 0;  // of the transformer's; last_stage_ is the end
  bool pattern_stage_ = false;                    // the last of them only up to its pattern
  std::int64_t next_step_ = 0;
  bool failed_ = false;
  std::vector<std::string> known_;
  std::vector<bool> wanted_;
  bool keeps_ = false;  // anything
  Status refused_;
  std::vector<Buffer<float>> intervention_values_;

  std::size_t stack_ = 0;  // the one that runs
  Sequence sequences_[2];
  Buffer<std::int32_t> type_ids_;
  Buffer<std::uint8_t> key_mask_;          // of the first sequence
  Buffer<std::uint8_t> decoder_key_mask_;  // of the second
  Buffer<float> pixels_;
  Buffer<float> stream_;   // [rows, dModel], the residual stream
  Buffer<float> normed_;   // [rows, dModel], what a part of a block sees when norms stand before it
  Buffer<float> scratch_;  // [rows, dModel]
  Buffer<float> encoded_;  // [B * S, dModel], the encoder's last hidden state
  Buffer<float> hidden_, gate_;  // some rows of the feed-forward layer
  MultiHeadAttentionRun attention_;

  std::int64_t head_rows_ = 0, next_head_row_ = 0, head_slice_ = 0;
  float* head_input_ = nullptr;  // [head_rows_, width], in the cache or in head_buffer_
  float* logits_ = nullptr;      // [head_rows_, outputs], in the cache or in logits_buffer_
  Buffer<float> head_buffer_, logits_buffer_;
  ActivationCache cache_;
};

}  // namespace headwise
