// The multi-head attention layer, with the meaning of torch.nn.MultiheadAttention (batch_first):
//
//   q = query W_Q^T + b_Q, k = key W_K^T + b_K, v = value W_V^T + b_V;  heads split in order;
//   z = attention(q, k, v);  output = concatenated z W_O^T + b_O
//
// plus grouped KV heads, rotary positions, ALiBi and each head's share of the output. Masks mean
// what they mean in the op (true = attend; a key mask is true for real tokens: the opposite of
// PyTorch's flags). No dropout, no key/value cache of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "headwise/attention.hpp"
#include "headwise/linear.hpp"
#include "headwise/memory.hpp"
#include "headwise/rotary.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

struct MultiHeadAttentionConfig {
  std::int64_t d_model = 0;
  std::int64_t num_heads = 0;
  std::optional<std::int64_t> kv_heads;         // default num_heads
  std::optional<std::int64_t> head_dim;         // default d_model / num_heads, which must divide
  std::optional<std::int64_t> value_head_dim;   // default head_dim
  std::optional<std::int64_t> key_input_dim;    // default d_model (PyTorch's kdim)
  std::optional<std::int64_t> value_input_dim;  // default d_model (PyTorch's vdim)
  bool query_bias = false, key_bias = false, value_bias = false, output_bias = false;
  std::optional<RotaryConfig> rotary;
  bool alibi = false;  // with the paper's slopes unless the layer is given others
};

// The sizes a config resolves to.
struct MultiHeadAttentionShape {
  std::int64_t d_model = 0, query_heads = 0, kv_heads = 0, head_dim = 0, value_head_dim = 0;
  std::int64_t key_input_dim = 0, value_input_dim = 0;

  std::int64_t query_width() const { return query_heads * head_dim; }
  std::int64_t key_width() const { return kv_heads * head_dim; }
  std::int64_t value_width() const { return kv_heads * value_head_dim; }
  std::int64_t z_width() const { return query_heads * value_head_dim; }
};

// "dModel", "numHeads", "kvHeads", "headDim", ...
Status validate(const MultiHeadAttentionConfig& config, MultiHeadAttentionShape* shape);

// Numbers of weights. total = query + key + value + output + biases.
struct ParameterCount {
  std::int64_t query = 0, key = 0, value = 0, output = 0, biases = 0, total = 0;
};
Status parameter_count(const MultiHeadAttentionConfig& config, ParameterCount* count);

// Weights as they came, [out, in] as PyTorch stores them: query [Hq D, dModel], key
// [Hkv D, keyInputDim], value [Hkv Dv, valueInputDim], output [dModel, Hq Dv]; or qkv: the rows of
// query, then of key, then of value, all [.., dModel]. Biases are optional, [out].
struct MultiHeadAttentionWeights {
  TensorArgument query, key, value, output;
  TensorArgument query_bias, key_bias, value_bias, output_bias;
  TensorArgument qkv, qkv_bias;
  TensorArgument alibi_slopes;  // [Hq]; not given = the paper's
};

// The options of the op apply to the projected heads; `options.query`, `.key`, `.value`,
// `.num_heads` and `.kv_heads` are filled in by the layer.
struct MultiHeadAttentionCall {
  TensorArgument query;       // [B, Sq, dModel]
  TensorArgument key, value;  // [B, Skv, keyInputDim], [B, Skv, valueInputDim]; both, or neither
                              // for self-attention
  AttentionCall options;
  // Rotary positions of the queries [Sq] or [B, Sq], and of the keys; default 0, 1, ...
  const std::int32_t* positions = nullptr;
  int positions_rank = 0;  // 0 = not given
  std::array<std::int64_t, 8> positions_dims{};
};

// Where results go; contiguous, null = not wanted.
struct MultiHeadAttentionResult {
  float* output = nullptr;   // [B, Sq, dModel]
  float* scores = nullptr;   // [B, Hq, Sq, Skv], taken at scores_point
  ScoresPoint scores_point = ScoresPoint::kNone;
  float* weights = nullptr;  // [B, Hq, Sq, Skv]
  float* heads = nullptr;    // [B, Hq, Sq, dModel]: what each head adds to the output, after the
                             // head mask, without the output bias
  // Copies of what lies between (before and after rotary turns): [B, S, H, D].
  float* q = nullptr;
  float* k = nullptr;
  float* v = nullptr;
  float* z = nullptr;  // [B, Sq, Hq, Dv], after `edit_z`
  // Called once with z [B, Hq, Sq, Dv] before W_O; may change it.
  std::function<void(const Tensor<float, 4>& z)> edit_z;
};

class MultiHeadAttention {
 public:
  enum class Part { kQuery, kKey, kValue, kOutput };

  // With weights, which decide the biases of `config` and must fit it ("weights.query", ...).
  Status create(MultiHeadAttentionConfig config, const MultiHeadAttentionWeights& weights,
                WeightType type);
  // With weights that are set part by part later.
  Status create(const MultiHeadAttentionConfig& config, WeightType type);

  // Contiguous [out, in] of the part; sizes are the caller's to have checked (part_rows/columns).
  void set_weight(Part part, const float* values);
  void set_weight(Part part, const std::int8_t* values, const float* row_scales);
  void set_bias(Part part, const float* values);
  std::int64_t part_rows(Part part) const;
  std::int64_t part_columns(Part part) const;

  // Judges a call and gives the sizes of its results; allocates nothing.
  Status validate(const MultiHeadAttentionCall& call, AttentionShape* shape) const;

  const MultiHeadAttentionConfig& config() const { return config_; }
  const MultiHeadAttentionShape& shape() const { return shape_; }
  ParameterCount parameters() const;

 private:
  friend class MultiHeadAttentionRun;

  MultiHeadAttentionConfig config_;
  MultiHeadAttentionShape shape_;
  bool fused_ = false;  // one projection for q, k and v: their inputs are equally wide
  Linear qkv_;          // fused
  Linear query_, key_, value_;
  Linear output_;
  Buffer<float> alibi_slopes_;
};

// One forward pass in slices, each a few tens of milliseconds, so that a Worker hears messages in
// between. Pointers of the call, the result and the layer must stay valid until it is done. Buffers
// are kept for the next run.
class MultiHeadAttentionRun {
 public:
  Status begin(const MultiHeadAttention& layer, const MultiHeadAttentionCall& call,
               const MultiHeadAttentionResult& result);
  Status step(bool* done);

 private:
  Status project();
  Status prepare_attention();
  Status finish();

  const MultiHeadAttention* layer_ = nullptr;
  MultiHeadAttentionCall call_;
  MultiHeadAttentionResult result_;
  AttentionShape shape_;
  bool weights_only_ = false;  // nothing behind the weights is wanted
  int stage_ = 0;
  std::int64_t next_task_ = 0;
  AttentionPlan plan_;
  Buffer<float> projected_;  // q, k, v of all rows
  Buffer<float> z_;
  Buffer<float> band_;  // ALiBi
  Buffer<float> bias_;  // ALiBi and a mask together
};

// All of it at once.
Status forward(const MultiHeadAttention& layer, const MultiHeadAttentionCall& call,
               const MultiHeadAttentionResult& result);

}  // namespace headwise
