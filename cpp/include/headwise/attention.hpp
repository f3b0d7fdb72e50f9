// Scaled dot-product attention with everything that decides what a query may see.
//
// Meaning: the ONNX operator `Attention` (opset 25), stricter in two places: nothing behind a mask
// reaches the result, NaN included, and a row that sees no key is all zeros.
//
//   scores  = scale * Q K^T -> softcap -> bias / boolean mask / key mask -> causal -> window ->
//   length weights = softmax(scores);  output = weights V
//
// Two levels: `AttentionCall` is a call as it came (dynamic ranks, packed or not), `validate`
// judges it and resolves it into an `AttentionProblem` (strided rank-4 views), which `attention`
// computes. No projections here (multi_head_attention.hpp), no names of activations
// (activation_cache.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "headwise/memory.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

enum class ScoresPoint { kNone, kScaled, kSoftcapped, kBiased };

// A mask broadcast to [B, Hq, Sq, Skv]: exactly one of the two pointers is set, or neither.
struct AttentionMask {
  const float* bias = nullptr;            // added to the scores; only -inf hides
  const std::uint8_t* allowed = nullptr;  // nonzero = attend
  std::array<std::int64_t, 4> strides{};  // over b, h, i, j; 0 where broadcast
  std::int64_t key_length = 0;            // keys at or beyond it are hidden (a shorter last axis)

  bool present() const { return bias != nullptr || allowed != nullptr; }
};

// A resolved problem. Preconditions: Hq % Hkv == 0, equal B, Skv, D; innermost strides are 1.
struct AttentionProblem {
  Tensor<const float, 4> query;  // [B, Hq, Sq, D]
  Tensor<const float, 4> key;    // [B, Hkv, Skv, D]; data may be null when key_panels is set
  Tensor<const float, 4> value;  // [B, Hkv, Skv, Dv]
  // Keys already packed as [B, Hkv, panel, D, 8], 8 keys side by side (KeyValueCache); else null.
  const float* key_panels = nullptr;
  std::int64_t key_panel_stride_b = 0;  // in elements
  std::int64_t key_panel_stride_h = 0;

  float scale = 1.0F;
  float softcap = 0.0F;  // 0 = off
  AttentionMask mask;
  const std::uint8_t* key_mask = nullptr;  // [B, Skv], nonzero = a real token
  bool causal = false;
  std::int64_t window_left = -1;  // -1 = unbounded
  std::int64_t window_right = -1;
  std::int64_t offset = 0;                   // query i stands at position i + offset
  bool offset_from_lengths = false;          // then the offset is kv_lengths[b] - Sq
  const std::int32_t* kv_lengths = nullptr;  // [B]; keys at or beyond are hidden
  const float* head_mask = nullptr;          // [Hq], a factor on each head's output; 0 selects

  Tensor<float, 4> output;  // [B, Hq, Sq, Dv], innermost stride 1
  ScoresPoint scores_point = ScoresPoint::kNone;
  float* scores = nullptr;   // [B, Hq, Sq, Skv] contiguous when scores_point is set
  float* weights = nullptr;  // [B, Hq, Sq, Skv] contiguous, or null

  std::int64_t position_offset(std::int64_t b) const {
    return offset_from_lengths ? kv_lengths[b] - query.dims[2] : offset;
  }
};

// --- A call as it came -----------------------------------------------------------------------

// A tensor of rank 1 to 4 (or whatever came: validate judges it), row-major.
struct TensorArgument {
  const float* data = nullptr;
  int rank = 0;  // 0 = not given
  std::array<std::int64_t, 8> dims{};

  bool given() const { return rank != 0; }
};

struct MaskArgument {
  const float* bias = nullptr;
  const std::uint8_t* allowed = nullptr;
  int rank = 0;  // 0 = not given; a scalar mask does not exist
  std::array<std::int64_t, 8> dims{};

  bool given() const { return rank != 0; }
};

// Pointers may be null while validating: only shapes and numbers are judged.
struct AttentionCall {
  TensorArgument query, key, value;                 // all rank 4, or all rank 3 (packed)
  TensorArgument past_key, past_value;              // [B, Hkv, past, D] / [B, Hkv, past, Dv]
  std::optional<std::int64_t> num_heads, kv_heads;  // packed input only
  std::optional<double> scale;                      // default 1 / sqrt(D)
  double softcap = 0.0;
  MaskArgument mask;
  const std::uint8_t* key_mask = nullptr;
  int key_mask_rank = 0;
  std::array<std::int64_t, 8> key_mask_dims{};
  bool causal = false;
  std::optional<std::int64_t> causal_offset;
  std::int64_t window_left = -1, window_right = -1;
  const std::int32_t* kv_lengths = nullptr;
  std::optional<std::int64_t> kv_lengths_size;  // number of entries, when given
  const float* head_mask = nullptr;
  std::optional<std::int64_t> head_mask_size;
  // Set when the call appends to a KeyValueCache: its length before the call, and what it holds.
  std::optional<std::int64_t> cache_length;
  std::int64_t cache_capacity = 0, cache_batch = 0, cache_kv_heads = 0, cache_head_dim = 0,
               cache_value_head_dim = 0;
};

// The sizes a call resolves to. Skv counts past or cached keys too.
struct AttentionShape {
  std::int64_t batch = 0, query_heads = 0, kv_heads = 0;
  std::int64_t query_length = 0, new_length = 0, past_length = 0, kv_length = 0;
  std::int64_t head_dim = 0, value_head_dim = 0;
  bool packed = false;

  std::int64_t output_size() const { return batch * query_heads * query_length * value_head_dim; }
  std::int64_t scores_size() const { return batch * query_heads * query_length * kv_length; }
  std::int64_t present_key_size() const { return batch * kv_heads * kv_length * head_dim; }
  std::int64_t present_value_size() const { return batch * kv_heads * kv_length * value_head_dim; }
};

// Judges shapes and options (and kv_lengths' values when the pointer is set); allocates nothing.
Status validate(const AttentionCall& call, AttentionShape* shape);

// Views of a validated call, without outputs. With past keys, `key` and `value` of the problem are
// the present tensors (which the caller has filled with concatenate_past).
AttentionProblem resolve(const AttentionCall& call, const AttentionShape& shape,
                         const float* present_key, const float* present_value);

// present [B, H, past + new, D] = past [B, H, past, D] then fresh (a strided view, [B, H, new, D]).
void concatenate_past(const TensorArgument& past, const Tensor<const float, 4>& fresh,
                      float* present);

// The fresh keys or values of a call as [B, Hkv, new, D], packed or not.
Tensor<const float, 4> heads_view(const TensorArgument& tensor, std::int64_t heads);

// --- Computing -------------------------------------------------------------------------------

// Work is cut into independent tasks: a batch entry, a KV head with the query heads that share it,
// a block of queries. A row's bits depend neither on the block it stands in nor on who computes it.
class AttentionPlan {
 public:
  // Takes the workspace (a few hundred KB per thread, independent of the lengths).
  Status prepare(const AttentionProblem& problem);
  std::int64_t tasks() const { return tasks_; }
  // About how many multiply-adds one task costs: for cutting long work into slices.
  double task_cost() const { return task_cost_; }
  // Computes tasks [first, last).
  void run(std::int64_t first, std::int64_t last) {
    begin(first, last);
    finish();
  }
  // The same in two calls, as begin_parallel and finish_parallel do.
  void begin(std::int64_t first, std::int64_t last);
  void finish();

 private:
  void compute(std::int64_t task, int thread);

  AttentionProblem problem_;
  std::int64_t tasks_ = 0;
  std::int64_t block_queries_ = 0;  // queries per block and head
  std::int64_t blocks_ = 0;         // blocks per KV head
  double task_cost_ = 0.0;
  Buffer<float> workspace_;
  std::int64_t workspace_stride_ = 0;
  std::int64_t last_ = 0;  // of the tasks that have been begun
};

// All of it at once.
Status attention(const AttentionProblem& problem);

namespace reference {

// The same meaning in double precision, written for reading. Any pointer may be null.
// output [B, Hq, Sq, Dv], scores and weights [B, Hq, Sq, Skv], all contiguous.
Status attention(const AttentionProblem& problem, double* output, double* scores, double* weights);

}  // namespace reference

}  // namespace headwise
