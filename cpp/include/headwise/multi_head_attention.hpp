// The multi-head attention layer, with the meaning of torch.nn.MultiheadAttention (batch_first):
//
//   q = query W_Q^T + b_Q, k = key W_K^T + b_K, v = value W_V^T + b_V;  heads split in order;
//   z = attention(q, k, v);  output = concatenated z W_O^T + b_O
//
// plus grouped KV heads, rotary positions, ALiBi and each head's share of the output. Masks mean
// what they mean in the op (true = attend; a key mask is true for real tokens: the opposite of
// PyTorch's flags). No dropout; a key/value cache is the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "headwise/attention.hpp"
#include "headwise/key_value_cache.hpp"
#include "headwise/linear.hpp"
#include "headwise/memory.hpp"
#include "headwise/rotary.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

struct MultiHeadAttentionConfig {
  std::int64_t d_model = 0;
  std::int64_t num_heads = 0;
  std::optional<std::int64_t> kv_heads = {};  // default num_heads
  std::optional<std::int64_t> head_dim = {};  // default d_model / num_heads, which must divide
  std::optional<std::int64_t> value_head_dim = {};   // default head_dim
  std::optional<std::int64_t> key_input_dim = {};    // default d_model (PyTorch's kdim)
  std::optional<std::int64_t> value_input_dim = {};  // default d_model (PyTorch's vdim)
  bool query_bias = false, key_bias = false, value_bias = false, output_bias = false;
  std::optional<RotaryConfig> rotary = {};
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

// The options of the op apply to the projected heads; the tensors, `num_heads`, `kv_heads` and the
// cache's sizes in `options` are filled in by the layer. past_key and past_value are the op's
// alone.
struct MultiHeadAttentionCall {
  TensorArgument query;       // [B, Sq, dModel]
  TensorArgument key, value;  // [B, Skv, keyInputDim], [B, Skv, valueInputDim]; both, or neither
                              // for self-attention
  AttentionCall options;
  KeyValueCache* cache = nullptr;  // the projected keys and values are appended to it
  // Rotary positions [Sq] or [B, Sq]; default: from the cache's length on. They hold for the
  // queries and, in self-attention, for the keys; the keys of another sequence count from 0.
  const std::int32_t* positions = nullptr;
  int positions_rank = 0;  // 0 = not given
  std::array<std::int64_t, 8> positions_dims{};
  // Added to the scores, [Hq, Sq + Skv - 1]: entry Sq - 1 + j - i for query i and key j, so that it
  // depends on their distance; null = none. Not together with a mask or ALiBi.
  const float* distance_bias = nullptr;
};

// Where results go; contiguous, null = not wanted.
struct MultiHeadAttentionResult {
  float* output = nullptr;  // [B, Sq, dModel]
  float* scores = nullptr;  // [B, Hq, Sq, Skv], taken at scores_point
  ScoresPoint scores_point = ScoresPoint::kNone;
  float* weights = nullptr;  // [B, Hq, Sq, Skv]
  float* heads = nullptr;    // [B, Hq, Sq, dModel]: what each head adds to the output, after the
                             // head mask, without the output bias
  // What lies between: q [B, Sq, Hq, D], k [B, Skv, Hkv, D] and v [B, Skv, Hkv, Dv] as projected,
  // before rotary turns, rotated_q and rotated_k after them; z [B, Sq, Hq, Dv] as it enters W_O.
  float* q = nullptr;
  float* k = nullptr;
  float* v = nullptr;
  float* rotated_q = nullptr;
  float* rotated_k = nullptr;
  float* z = nullptr;
  // Called once with z [B, Hq, Sq, Dv] before W_O; may change it.
  std::function<void(const Tensor<float, 4>& z)> edit_z = {};
};

class MultiHeadAttention {
 public:
  enum class Part { kQuery, kKey, kValue, kOutput };

  // With weights; they decide which biases there are and, where `config` leaves them open, the
  // widths of keys and values. What does not fit is named "weights.query", ...
  Status create(MultiHeadAttentionConfig config, const MultiHeadAttentionWeights& weights,
                WeightType type);
  // With weights that are set part by part later.
  Status create(const MultiHeadAttentionConfig& config, WeightType type);

  // Contiguous [out, in] of the part; sizes are the caller's to have checked (rows, columns).
  void set_weight(Part part, const float* values);
  void set_weight(Part part, const std::int8_t* values, const float* row_scales,
                  std::span<const Outlier> outliers = {});
  void set_bias(Part part, const float* values);
  // As the products use them, int8 widened.
  void copy_weight(Part part, float* values) const;
  void copy_bias(Part part, float* values) const;
  std::int64_t rows(Part part) const;
  std::int64_t columns(Part part) const;

  // Judges a call and gives the sizes of its results; allocates nothing.
  Status validate(const MultiHeadAttentionCall& call, AttentionShape* shape) const;

  const MultiHeadAttentionConfig& config() const { return config_; }
  const MultiHeadAttentionShape& shape() const { return shape_; }
  ParameterCount parameters() const;

 private:
  friend class MultiHeadAttentionRun;

  // Where a part's rows lie: in its own matrix, or in the fused one, from a panel's edge on.
  struct Place {
    const Linear* linear;
    std::int64_t first_row;
  };
  Place place(Part part) const;
  Linear& matrix(Part part);
  AttentionCall projected_call(const MultiHeadAttentionCall& call) const;

  MultiHeadAttentionConfig config_;
  MultiHeadAttentionShape shape_;
  bool fused_ = false;  // one matrix for query, key and value: their inputs are equally wide
  Linear qkv_;          // fused
  Linear query_, key_, value_;
  Linear output_;
  Buffer<float> alibi_slopes_;  // [Hq]
};

// One forward pass in slices, each a few tens of milliseconds, so that a Worker hears messages in
// between. Pointers of the call, the result and the layer must stay valid until it is done. Buffers
// are kept for the next run.
class MultiHeadAttentionRun {
 public:
  Status begin(const MultiHeadAttention& layer, const MultiHeadAttentionCall& call,
               const MultiHeadAttentionResult& result);
  Status step(bool* done);
  // To the end.
  Status finish();

 private:
  enum class Stage { kProject, kAttend, kOutput, kDone };
  struct Product {  // rows of an input through a part of a matrix
    const Linear* linear = nullptr;
    Tensor<const float, 2> input;
    Tensor<float, 2> target;
    LinearOptions options;
  };

  Status plan_projections();
  Status multiply_some();
  void copy_projections() const;
  Status rotate();
  Status prepare_attention();
  void attend_some();
  void plan_outputs();

  const MultiHeadAttention* layer_ = nullptr;
  MultiHeadAttentionCall call_;
  MultiHeadAttentionResult result_;
  AttentionCall heads_call_;  // the op's call on projected heads
  AttentionShape shape_;
  Stage stage_ = Stage::kDone;
  bool values_wanted_ = true;  // something behind the weights is
  std::vector<Product> products_;
  std::size_t next_product_ = 0;
  std::int64_t next_row_ = 0;
  std::int64_t next_task_ = 0;
  AttentionPlan plan_;
  Tensor<float, 4> q_, k_, v_;  // views into the buffers, [B, H, S, D]
  Buffer<float> query_rows_;    // q, and for self-attention k and v beside it
  Buffer<float> key_rows_;      // k and v of another sequence
  Buffer<float> z_;             // [B, Sq, Hq * Dv]
  Buffer<float> alibi_;         // the band, or band and mask together
};

// All of it at once.
Status forward(const MultiHeadAttention& layer, const MultiHeadAttentionCall& call,
               const MultiHeadAttentionResult& result);

}  // namespace headwise
