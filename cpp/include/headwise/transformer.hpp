// One transformer, driven by its config (transformer_config.hpp): its parameters, and the names of
// what a run can show (transformer_run.hpp). Knows canonical parameter names; files, JSON and the
// names of other libraries are the module's. Poolers are not part of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "headwise/embedding.hpp"
#include "headwise/linear.hpp"
#include "headwise/memory.hpp"
#include "headwise/multi_head_attention.hpp"
#include "headwise/status.hpp"
#include "headwise/transformer_config.hpp"

namespace headwise {

struct ParameterSpec {
  std::string name;
  std::vector<std::int64_t> dims;
  bool present = false;  // whole, for an embedding table: every row
};

// Canonical names, in the order of use; a stack of an encoder-decoder has `encoder.` or `decoder.`
// before all but embed.token and unembed. E is dEmbedding; norms of RMS have no bias.
//   embed.token [vocabulary, E]   embed.position [positionOffset + maxPositions, E]
//   embed.token_type [tokenTypes, E]   embed.ln.weight, .bias [E]
//   embed.project.weight [dModel, E], .bias   where E is not dModel
//   embed.patch.weight [dModel, channels * patch^2], .bias   embed.class [classTokens, dModel]
//   relative_bias [buckets, numHeads]
//   blocks.{i}.attn.query|key|value|output.weight, .bias   likewise cross_attn
//   blocks.{i}.ln1|ln2|ln3|ln1_post|ln2_post.weight, .bias [dModel]   ln3 beside cross_attn
//   blocks.{i}.mlp.in|gate.weight [dMlp, dModel], .bias   mlp.out.weight [dModel, dMlp], .bias
//   ln_final.weight, .bias [dModel]
//   mlm_head.dense.weight [E, dModel], .bias   mlm_head.ln.weight, .bias [E]
//   unembed.weight [vocabulary, dModel or, of a masked-LM head, E], where it is not tied
//   unembed.bias [vocabulary]   head.weight [labels, dModel]   head.bias [labels]
class Transformer {
 public:
  Transformer() = default;
  Transformer(const Transformer&) = delete;  // its parameters know where they lie
  Transformer& operator=(const Transformer&) = delete;

  // `type` is that of the weight matrices, a tied token table among them. Rows of other tables keep
  // the type they come in; biases and norms are float32. Memory is taken as parameters come.
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

  // Leading blocks, the encoder's before the decoder's, whose parameters are all there (0 while
  // what the embedding needs is missing; token rows are judged by each run).
  std::int64_t ready_blocks() const;
  // Leading blocks whose attention pattern can be had: one more than ready_blocks() as soon as the
  // next block's query and key are there.
  std::int64_t ready_patterns() const;

  // Every name a run can keep, in the order of use.
  std::vector<std::string> activation_names() const;

  const TransformerConfig& config() const { return config_; }
  WeightType weight_type() const { return type_; }

 private:
  friend class DecodingCache;
  friend class TransformerRun;

  struct Norm {
    Buffer<float> weight, bias;
  };
  struct Block {
    MultiHeadAttention attention, cross_attention;
    Norm ln1, ln2, ln3, ln1_post, ln2_post;
    Linear mlp_in, mlp_gate, mlp_out;
  };
  // A sequence of blocks and what stands before and behind them.
  struct Stack {
    bool causal = false, cross = false;  // cross: attends to the stack before it
    std::string parameters;              // what its parameters' names begin with
    // What the names of activations begin with: of the embedding, its norm, blocks, the last norm.
    std::string embed_hooks, embed_norm_hooks, block_hooks, final_norm_hooks;
    EmbeddingTable position;
    Norm embed_ln, ln_final;
    Buffer<float> relative_bias;
    std::vector<Block> blocks;
  };
  enum class StageKind { kEmbed, kBlock, kFinalNorm, kHead };
  // A part of the forward pass: what needs parameters and shows activations together.
  struct Stage {
    StageKind kind = StageKind::kEmbed;
    std::size_t stack = 0;
    std::int64_t layer = 0;
  };
  // Where a parameter lies: one of the four pointers.
  struct Parameter {
    std::string name;
    std::vector<std::int64_t> dims;
    EmbeddingTable* table = nullptr;
    Buffer<float>* values = nullptr;
    Linear* linear = nullptr;
    MultiHeadAttention* attention = nullptr;
    MultiHeadAttention::Part part = MultiHeadAttention::Part::kQuery;
    bool is_bias = false;      // of linear or attention
    std::int64_t inputs = 0;   // of linear
    bool biased = false;       // linear has a bias
    bool cross = false;        // attention is to another stack
    std::size_t stage = 0;     // the first that needs it
    bool for_pattern = false;  // the attention pattern needs it already
    bool present = false;      // of a table: see there
  };

  Stack& add_stack(std::int64_t layers, const char* name);
  void add_stages(std::size_t stack);
  Parameter& add(std::string name, std::vector<std::int64_t> dims);
  void add_norm(const std::string& name, Norm* norm, std::int64_t width);
  void add_linear(const std::string& name, Linear* linear, std::int64_t out, std::int64_t in,
                  bool bias);
  void add_attention(const std::string& name, MultiHeadAttention* attention, bool cross);
  void add_embedding(Stack* stack);
  void add_block(Stack* stack, std::int64_t layer);
  void add_head();
  Status create_tables();
  // Null when there is none of the name.
  const Parameter* find(const std::string& name) const;
  Parameter* find(const std::string& name);
  Status no_parameter(const std::string& name) const;
  static Status other_dims(const Parameter& parameter, const std::vector<std::int64_t>& dims);
  Status take(Parameter* parameter);
  static bool is_present(const Parameter& parameter);
  std::int64_t block_count() const;  // of all stacks
  // The stage of a block, counted through all stacks; the one behind the last block for their
  // number.
  std::size_t stage_of(std::int64_t block) const;
  // The first parameter missing for stages [0, end), and in stage `end` for a pattern if wanted.
  const Parameter* first_missing(std::size_t end, bool pattern) const;
  void append_block_names(const Stack& stack, const std::string& prefix,
                          std::vector<std::string>* names) const;
  void append_names(const Stage& stage, std::vector<std::string>* names) const;

  TransformerConfig config_;
  WeightType type_ = WeightType::kFloat32;
  std::vector<Parameter> parameters_;
  std::vector<Stage> stages_;
  std::vector<Stack> stacks_;
  EmbeddingTable token_, token_type_, class_;
  Linear embed_project_, patch_, mlm_dense_, head_;
  Norm mlm_ln_;
  Buffer<float> head_bias_;  // of a language model
};

}  // namespace headwise
