// One transformer, driven by its config: token ids in, hidden states and activations by name out.
// So far the encoder of BERT: learned positions, token types, post-norm, GELU. Knows canonical
// parameter names; files, JSON and the names of other libraries are the module's. The pooler is not
// part of it.
//
//   x = layer_norm(token + position + token type)
//   each block:  m = ln1(x + attention(x));  x = ln2(m + mlp(m))
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "headwise/activation_cache.hpp"
#include "headwise/activations.hpp"
#include "headwise/embedding.hpp"
#include "headwise/intervention.hpp"
#include "headwise/linear.hpp"
#include "headwise/memory.hpp"
#include "headwise/multi_head_attention.hpp"
#include "headwise/pooling.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

struct TransformerConfig {
  std::int64_t num_layers = 0, num_heads = 0, d_model = 0, d_mlp = 0;
  std::int64_t vocabulary = 0, max_positions = 0;
  std::int64_t token_types = 0;  // 0 = none
  double norm_epsilon = 1e-12;
  ActivationFunction activation = ActivationFunction::kGelu;
};

struct ParameterSpec {
  std::string name;
  std::vector<std::int64_t> dims;
  bool present = false;  // whole, for an embedding table: every row
};

// Canonical names, in the order of use:
//   embed.token, embed.position, embed.token_type          [rows, dModel]
//   embed.ln.weight, embed.ln.bias                         [dModel]
//   blocks.{i}.attn.query|key|value|output.weight          [dModel, dModel]   .bias [dModel]
//   blocks.{i}.ln1.weight, .bias                           [dModel]
//   blocks.{i}.mlp.in.weight [dMlp, dModel]  .bias [dMlp]  mlp.out.weight [dModel, dMlp]  .bias
//   blocks.{i}.ln2.weight, .bias                           [dModel]
class Transformer {
 public:
  // Config fields in the TypeScript spelling ("numLayers", ...) are the errors' arguments.
  static Status validate(const TransformerConfig& config);

  // `type` is that of the weight matrices. Embedding rows keep the type they come in; biases and
  // norms are float32. Memory for a block is taken when its first parameter comes.
  Status create(const TransformerConfig& config, WeightType type);

  std::vector<ParameterSpec> parameters() const;
  // Number of weights, whether present or not.
  std::int64_t parameter_count() const;

  // The values are copied (matrices into packed form). An unknown name, with near names, and dims
  // that do not fit are invalid.
  Status set_parameter(const std::string& name, const std::vector<std::int64_t>& dims,
                       const float* values);
  // w[r, c] = values[r, c] * row_scales[r]: matrices and embedding tables. Matrices may have a few
  // outliers, which are added.
  Status set_parameter_int8(const std::string& name, const std::vector<std::int64_t>& dims,
                            const std::int8_t* values, const float* row_scales,
                            std::span<const Outlier> outliers = {});
  // Rows row_ids[0 .. count) of an embedding table: the first instalment, or a table piece by
  // piece.
  Status set_embedding_rows(const std::string& name, const std::int32_t* row_ids,
                            std::int64_t count, const float* values);
  Status set_embedding_rows_int8(const std::string& name, const std::int32_t* row_ids,
                                 std::int64_t count, const std::int8_t* values,
                                 const float* row_scales);

  // The values in float32, as the products use them: int8 widened, outliers added. A parameter that
  // has not arrived whole is unsupported (yet).
  Status copy_parameter(const std::string& name, float* values) const;
  // Its sizes, whether it is present or not.
  Status parameter_dims(const std::string& name, std::vector<std::int64_t>* dims) const;

  // Leading blocks whose parameters are all there (0 while the embedding norm or the positions are
  // missing; token rows are judged by each run).
  std::int64_t ready_blocks() const;
  // Leading blocks whose attention pattern can be had: one more than ready_blocks() as soon as the
  // next block's query and key are there.
  std::int64_t ready_patterns() const;

  // Every name a run can keep, in the order of use.
  std::vector<std::string> activation_names() const;

  const TransformerConfig& config() const { return config_; }
  WeightType weight_type() const { return type_; }

 private:
  friend class TransformerRun;

  struct Norm {
    Buffer<float> weight, bias;
  };
  struct Block {
    MultiHeadAttention attention;
    Norm ln1, ln2;
    Linear mlp_in, mlp_out;
    bool taken = false;  // has its memory
  };

  Status find(const std::string& name, const std::vector<std::int64_t>* dims,
              std::size_t* index) const;
  Status find_table(const std::string& name, EmbeddingTable** table);
  std::vector<std::int64_t> dims_of(std::size_t index) const;
  template <typename Self>
  static auto table_in(Self& self, std::size_t index) -> decltype(&self.token_);
  EmbeddingTable* table_of(std::size_t index);
  const EmbeddingTable* table_of(std::size_t index) const;
  template <typename Self>
  static auto norm_in(Self& self, std::size_t index) -> decltype(&self.embed_ln_.weight);
  Status take_norm(Norm* norm) const;
  Status take_block(std::size_t index);
  bool embedding_ready() const;
  bool is_present(std::size_t index) const;
  bool block_has(std::int64_t block, int slots) const;  // the first `slots` of its parameters

  TransformerConfig config_;
  WeightType type_ = WeightType::kFloat32;
  std::vector<std::string> names_;  // of parameters: the embedding's, then each block's
  std::vector<bool> present_;       // for each of names_; tables know themselves
  EmbeddingTable token_, position_, token_type_;
  Norm embed_ln_;
  std::vector<Block> blocks_;
};

struct RunOptions {
  // Activations to keep; * stands for any run of characters.
  std::vector<std::string> names = {};
  std::vector<Intervention> interventions = {};
  // Only blocks before it run (TransformerLens' stop_at_layer); -1 = all. The output is then the
  // residual stream that enters this block, and `names` choose among what has run.
  std::int64_t stop_at_layer = -1;
  // false: the run ends as soon as every named activation is there, and asks for no parameter
  // behind the last of them. output() is then null.
  bool output = true;
};

// One forward pass, a block at a time. The transformer must outlive it and stay unchanged but for
// further parameters.
class TransformerRun {
 public:
  // ids [B, S]; type_ids [B, S] or null (all 0); key_mask [B, S] (nonzero = a real token) or null.
  // Everything is copied. Judges all of it: ids in range and there ("ids"), S <= max_positions,
  // names, interventions, and that the blocks needed are ready.
  Status begin(const Transformer& transformer, const std::int32_t* ids, std::int64_t batch,
               std::int64_t length, const std::int32_t* type_ids, const std::uint8_t* key_mask,
               const RunOptions& options);

  // The embedding, or one block. *done is set when nothing is left. A failed step ends the run.
  Status step(bool* done);
  std::int64_t steps() const;  // how many step() calls the run takes
  std::int64_t steps_done() const { return next_step_; }

  // The last hidden state [B, S, dModel]; null data before the end.
  Tensor<const float, 3> output() const;
  const ActivationCache& cache() const { return cache_; }

 private:
  Status copy_inputs(const std::int32_t* ids, const std::int32_t* type_ids,
                     const std::uint8_t* key_mask);
  Status check_inputs() const;
  Status take_interventions();
  Status plan_steps();
  Status embed();
  Status add_rows(const EmbeddingTable& table, const std::int32_t* ids, const char* name);
  Status run_block(std::int64_t index);
  Status attend(std::int64_t index, bool pattern_only, float** output);
  Status feed_forward(std::int64_t index);
  Status normalize(const Transformer::Norm& norm, const std::string& prefix);
  void intervene(const std::string& name, const Tensor<float, 4>& z) const;

  // Takes a place for the activation when it is wanted; else *data is null.
  Status keep(const std::string& name, std::vector<std::int64_t> dims, float** data);
  Status keep_stream(const std::string& name);  // a copy of the residual stream

  const Transformer* transformer_ = nullptr;
  RunOptions options_;
  std::int64_t batch_ = 0, length_ = 0;
  std::int64_t blocks_ = 0;    // that run whole
  bool pattern_step_ = false;  // then one more, up to its pattern
  std::int64_t next_step_ = 0;
  bool failed_ = false;
  std::vector<std::string> known_;
  std::vector<bool> wanted_;
  std::vector<Buffer<float>> intervention_values_;
  Buffer<std::int32_t> ids_, type_ids_;
  Buffer<std::uint8_t> key_mask_;
  Buffer<float> stream_;   // [B * S, dModel], the residual stream
  Buffer<float> scratch_;  // [B * S, dModel]
  Buffer<float> hidden_;   // some rows of the feed-forward layer
  MultiHeadAttentionRun attention_;
  ActivationCache cache_;
};

}  // namespace headwise
