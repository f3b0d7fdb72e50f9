// The transformer's parameters: which there are, where they lie, and what has come. Its forward
// pass is transformer_run.cpp and the files beside it.
#include "headwise/transformer.hpp"

#include <algorithm>

#include "headwise/activation_cache.hpp"
#include "text.hpp"

namespace headwise {

namespace {

using Part = MultiHeadAttention::Part;

std::string dims_text(const std::vector<std::int64_t>& dims) {
  return shape_text(dims, static_cast<int>(dims.size()));
}

std::int64_t product(const std::vector<std::int64_t>& dims) {
  std::int64_t size = 1;
  for (const std::int64_t dim : dims) size *= dim;
  return size;
}

Status check_outliers(const std::string& name, const std::vector<std::int64_t>& dims,
                      std::span<const Outlier> outliers) {
  for (const Outlier& outlier : outliers) {
    const bool inside = outlier.row >= 0 && outlier.row < dims[0] && outlier.column >= 0 &&
                        outlier.column < dims[1];
    if (inside) continue;
    return Status::invalid(name, "outliers inside " + dims_text(dims),
                           "one at " + text(outlier.row) + ", " + text(outlier.column));
  }
  return {};
}

}  // namespace

// --- Which parameters there are ---------------------------------------------------------------

Transformer::Parameter& Transformer::add(std::string name, std::vector<std::int64_t> dims) {
  Parameter& parameter = parameters_.emplace_back();
  parameter.name = std::move(name);
  parameter.dims = std::move(dims);
  parameter.stage = stages_.size() - 1;
  return parameter;
}

void Transformer::add_norm(const std::string& name, Norm* norm, std::int64_t width) {
  add(name + ".weight", {width}).values = &norm->weight;
  if (config_.norm == NormKind::kLayer) add(name + ".bias", {width}).values = &norm->bias;
}

void Transformer::add_linear(const std::string& name, Linear* linear, std::int64_t out,
                             std::int64_t in, bool bias) {
  for (const bool is_bias : {false, true}) {
    if (is_bias && !bias) return;
    const char* kind = is_bias ? ".bias" : ".weight";
    Parameter& parameter = is_bias ? add(name + kind, {out}) : add(name + kind, {out, in});
    parameter.linear = linear;
    parameter.inputs = in;
    parameter.biased = bias;
    parameter.is_bias = is_bias;
  }
}

void Transformer::add_attention(const std::string& name, MultiHeadAttention* attention,
                                bool cross) {
  const std::int64_t d_model = config_.d_model;
  const std::int64_t width = config_.num_heads * config_.head_size();
  const std::int64_t kv_width = config_.heads_for_keys() * config_.head_size();
  struct Matrix {
    Part part;
    const char* name;
    std::int64_t out, in;
    bool bias;
  };
  for (const Matrix& matrix :
       {Matrix{Part::kQuery, ".query", width, d_model, config_.attention_bias},
        Matrix{Part::kKey, ".key", kv_width, d_model, config_.attention_bias},
        Matrix{Part::kValue, ".value", kv_width, d_model, config_.attention_bias},
        Matrix{Part::kOutput, ".output", d_model, width, config_.output_bias}}) {
    const std::size_t first = parameters_.size();
    add_linear(name + matrix.name, nullptr, matrix.out, matrix.in, matrix.bias);
    for (std::size_t i = first; i < parameters_.size(); ++i) {
      parameters_[i].attention = attention;
      parameters_[i].part = matrix.part;
      parameters_[i].cross = cross;
      parameters_[i].for_pattern =
          !cross && (matrix.part == Part::kQuery || matrix.part == Part::kKey);
    }
  }
}

void Transformer::add_embedding(Stack* stack) {
  const std::string& prefix = stack->parameters;
  const std::int64_t width = config_.embedding_width();
  const bool vision = config_.kind == TransformerKind::kVision;
  if (vision) {
    add_linear("embed.patch", &patch_, config_.d_model, config_.image.patch_values(), true);
    add("embed.class", {config_.image.class_tokens, config_.d_model}).table = &class_;
  } else if (stack == stacks_.data()) {
    add("embed.token", {config_.vocabulary, width}).table = &token_;
  }
  if (config_.positions == PositionKind::kLearned) {
    const std::int64_t positions = vision ? config_.image.class_tokens + config_.image.patches()
                                          : config_.position_offset + config_.max_positions;
    add(prefix + "embed.position", {positions, width}).table = &stack->position;
  }
  if (config_.token_types > 0) {
    add(prefix + "embed.token_type", {config_.token_types, width}).table = &token_type_;
  }
  if (config_.embedding_norm) add_norm(prefix + "embed.ln", &stack->embed_ln, width);
  if (width != config_.d_model) {
    add_linear(prefix + "embed.project", &embed_project_, config_.d_model, width, true);
  }
  if (config_.positions == PositionKind::kRelative) {
    add(prefix + "relative_bias", {config_.relative_buckets, config_.num_heads}).values =
        &stack->relative_bias;
  }
}

void Transformer::add_block(Stack* stack, std::int64_t layer) {
  Block& block = stack->blocks[static_cast<std::size_t>(layer)];
  const std::string prefix = stack->parameters + "blocks." + text(layer) + ".";
  const std::int64_t d_model = config_.d_model;
  const bool before = config_.norm_placement != NormPlacement::kPost;
  const bool sandwich = config_.norm_placement == NormPlacement::kSandwich;
  const std::size_t first = parameters_.size();
  if (before) add_norm(prefix + "ln1", &block.ln1, d_model);
  for (std::size_t i = first; i < parameters_.size(); ++i) parameters_[i].for_pattern = true;
  add_attention(prefix + "attn", &block.attention, false);
  if (sandwich) add_norm(prefix + "ln1_post", &block.ln1_post, d_model);
  if (!before) add_norm(prefix + "ln1", &block.ln1, d_model);
  if (stack->cross) {
    if (before) add_norm(prefix + "ln2", &block.ln2, d_model);
    add_attention(prefix + "cross_attn", &block.cross_attention, true);
    if (!before) add_norm(prefix + "ln2", &block.ln2, d_model);
  }
  const std::string mlp_norm = prefix + (stack->cross ? "ln3" : "ln2");
  Norm* norm = stack->cross ? &block.ln3 : &block.ln2;
  if (before) add_norm(mlp_norm, norm, d_model);
  if (config_.gated_mlp) {
    add_linear(prefix + "mlp.gate", &block.mlp_gate, config_.d_mlp, d_model, config_.mlp_bias);
  }
  add_linear(prefix + "mlp.in", &block.mlp_in, config_.d_mlp, d_model, config_.mlp_bias);
  add_linear(prefix + "mlp.out", &block.mlp_out, d_model, config_.d_mlp, config_.mlp_bias);
  if (sandwich) add_norm(prefix + "ln2_post", &block.ln2_post, d_model);
  if (!before) add_norm(mlp_norm, norm, d_model);
}

void Transformer::add_head() {
  if (config_.head == HeadKind::kNone) return;
  stages_.push_back({StageKind::kHead, stacks_.size() - 1});
  if (config_.head == HeadKind::kClassifier) {
    add_linear("head", &head_, config_.labels, config_.d_model, config_.head_bias);
    return;
  }
  const bool masked = config_.head == HeadKind::kMaskedLanguageModel;
  const std::int64_t width = masked ? config_.embedding_width() : config_.d_model;
  if (masked) {
    add_linear("mlm_head.dense", &mlm_dense_, width, config_.d_model, true);
    add_norm("mlm_head.ln", &mlm_ln_, width);
  }
  if (!config_.tied_head) add_linear("unembed", &head_, config_.vocabulary, width, false);
  if (config_.head_bias) add("unembed.bias", {config_.vocabulary}).values = &head_bias_;
}

// Names of activations: those of TransformerLens' HookedEncoder, HookedTransformer (which images
// share) and HookedEncoderDecoder.
Transformer::Stack& Transformer::add_stack(std::int64_t layers, const char* name) {
  Stack& stack = stacks_.emplace_back();
  stack.blocks = std::vector<Block>(static_cast<std::size_t>(layers));
  stack.causal = config_.kind == TransformerKind::kDecoder;
  stack.embed_norm_hooks = "embed.ln.";
  stack.block_hooks = "blocks.";
  stack.final_norm_hooks = "ln_final.";
  if (config_.kind == TransformerKind::kEncoder) stack.embed_hooks = "embed.";
  if (config_.kind != TransformerKind::kEncoderDecoder) return stack;
  const std::string prefix = std::string(name) + ".";
  stack.causal = stack.cross = stacks_.size() > 1;
  stack.parameters = stack.embed_hooks = stack.block_hooks = prefix;
  stack.embed_norm_hooks = prefix + "ln.";
  stack.final_norm_hooks = std::string(name) + "_final_ln.";
  return stack;
}

void Transformer::add_stages(std::size_t index) {
  Stack& stack = stacks_[index];
  stages_.push_back({StageKind::kEmbed, index});
  add_embedding(&stack);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(stack.blocks.size()); ++i) {
    stages_.push_back({StageKind::kBlock, index, i});
    add_block(&stack, i);
  }
  if (!config_.final_norm) return;
  stages_.push_back({StageKind::kFinalNorm, index});
  add_norm(stack.parameters + "ln_final", &stack.ln_final, config_.d_model);
}

Status Transformer::create_tables() {
  for (Parameter& parameter : parameters_) {
    if (parameter.table == nullptr) continue;
    const bool language =
        config_.head == HeadKind::kLanguageModel || config_.head == HeadKind::kMaskedLanguageModel;
    const bool matrix = parameter.table == &token_ && language && config_.tied_head;
    HEADWISE_RETURN_IF_ERROR(parameter.table->create(parameter.dims[0], parameter.dims[1],
                                                     parameter.name,
                                                     matrix ? std::optional(type_) : std::nullopt));
  }
  return {};
}

Status Transformer::create(const TransformerConfig& config, WeightType type) {
  HEADWISE_RETURN_IF_ERROR(validate(config));
  config_ = config;
  type_ = type;
  parameters_.clear();
  stages_.clear();
  stacks_.clear();
  stacks_.reserve(2);
  token_type_ = EmbeddingTable();
  for (Linear* linear : {&embed_project_, &patch_, &mlm_dense_, &head_}) *linear = Linear();
  head_bias_.reset();
  add_stack(config.num_layers, "encoder");
  if (config.kind == TransformerKind::kEncoderDecoder) add_stack(config.decoder_layers, "decoder");
  for (std::size_t i = 0; i < stacks_.size(); ++i) add_stages(i);
  add_head();
  return create_tables();
}

// --- What has come ----------------------------------------------------------------------------

const Transformer::Parameter* Transformer::find(const std::string& name) const {
  const auto found = std::ranges::find(parameters_, name, &Parameter::name);
  return found == parameters_.end() ? nullptr : &*found;
}

Transformer::Parameter* Transformer::find(const std::string& name) {
  return const_cast<Parameter*>(std::as_const(*this).find(name));  // this transformer's own
}

Status Transformer::other_dims(const Parameter& parameter, const std::vector<std::int64_t>& dims) {
  return Status::invalid(parameter.name, dims_text(parameter.dims), dims_text(dims));
}

Status Transformer::no_parameter(const std::string& name) const {
  std::vector<std::string> names;
  for (const Parameter& known : parameters_) names.push_back(known.name);
  return unknown_name("name", name, names);
}

// The memory where the parameter goes.
Status Transformer::take(Parameter* parameter) {
  if (parameter->values != nullptr) {
    return parameter->values->reserve(product(parameter->dims), "weights");
  }
  if (MultiHeadAttention* attention = parameter->attention) {
    if (attention->shape().d_model > 0) return {};
    return attention->create(attention_config(config_, parameter->cross), type_);
  }
  if (parameter->linear->out() > 0) return {};
  return parameter->linear->create(parameter->inputs, parameter->dims[0], type_, parameter->biased);
}

Status Transformer::set_parameter(const std::string& name, const std::vector<std::int64_t>& dims,
                                  const float* values) {
  Parameter* parameter = find(name);
  if (parameter == nullptr) return no_parameter(name);
  if (dims != parameter->dims) return other_dims(*parameter, dims);
  if (parameter->table != nullptr) return parameter->table->set_rows(nullptr, dims[0], values);
  HEADWISE_RETURN_IF_ERROR(take(parameter));
  const Part part = parameter->part;
  if (parameter->values != nullptr) {
    std::copy_n(values, product(dims), parameter->values->data());
  } else if (MultiHeadAttention* attention = parameter->attention) {
    parameter->is_bias ? attention->set_bias(part, values) : attention->set_weight(part, values);
  } else if (parameter->is_bias) {
    parameter->linear->set_bias(0, dims[0], values);
  } else {
    parameter->linear->set_rows(0, dims[0], values);
  }
  parameter->present = true;
  return {};
}

Status Transformer::set_parameter_int8(const std::string& name,
                                       const std::vector<std::int64_t>& dims,
                                       const std::int8_t* values, const float* row_scales,
                                       std::span<const Outlier> outliers) {
  Parameter* parameter = find(name);
  if (parameter == nullptr) return no_parameter(name);
  if (dims != parameter->dims) return other_dims(*parameter, dims);
  if (parameter->table != nullptr) {
    if (!outliers.empty()) return Status::unsupported(name, "a table without outliers", "outliers");
    return parameter->table->set_rows(nullptr, dims[0], values, row_scales);
  }
  if (parameter->is_bias || parameter->values != nullptr) {
    return Status::invalid(name, "float32 values", "int8 values");
  }
  HEADWISE_RETURN_IF_ERROR(check_outliers(name, dims, outliers));
  HEADWISE_RETURN_IF_ERROR(take(parameter));
  if (parameter->attention != nullptr) {
    parameter->attention->set_weight(parameter->part, values, row_scales, outliers);
  } else {
    parameter->linear->set_rows(0, dims[0], values, row_scales, outliers);
  }
  parameter->present = true;
  return {};
}

namespace {

Status not_a_table(const std::string& name) {
  return Status::invalid(
      "name", "an embedding table: embed.token, embed.position, embed.token_type, embed.class",
      name);
}

}  // namespace

Status Transformer::set_embedding_rows(const std::string& name, const std::int32_t* row_ids,
                                       std::int64_t count, const float* values) {
  Parameter* parameter = find(name);
  if (parameter == nullptr) return no_parameter(name);
  if (parameter->table == nullptr) return not_a_table(name);
  return parameter->table->set_rows(row_ids, count, values);
}

Status Transformer::set_embedding_rows_int8(const std::string& name, const std::int32_t* row_ids,
                                            std::int64_t count, const std::int8_t* values,
                                            const float* row_scales) {
  Parameter* parameter = find(name);
  if (parameter == nullptr) return no_parameter(name);
  if (parameter->table == nullptr) return not_a_table(name);
  return parameter->table->set_rows(row_ids, count, values, row_scales);
}

Status Transformer::copy_parameter(const std::string& name, float* values) const {
  const Parameter* parameter = find(name);
  if (parameter == nullptr) return no_parameter(name);
  if (!is_present(*parameter)) {
    return Status::unsupported("name", "a parameter that has arrived", name + ", which has not");
  }
  const std::vector<std::int64_t>& dims = parameter->dims;
  const Part part = parameter->part;
  if (const EmbeddingTable* table = parameter->table) {
    for (std::int32_t row = 0; row < dims[0]; ++row) {
      table->lookup(&row, 1, Tensor<float, 2>::contiguous(values + row * dims[1], {1, dims[1]}));
    }
  } else if (parameter->values != nullptr) {
    std::copy_n(parameter->values->data(), product(dims), values);
  } else if (const MultiHeadAttention* attention = parameter->attention) {
    parameter->is_bias ? attention->copy_bias(part, values) : attention->copy_weight(part, values);
  } else if (parameter->is_bias) {
    parameter->linear->copy_bias(0, dims[0], values);
  } else {
    parameter->linear->copy_rows(0, dims[0], values);
  }
  return {};
}

Status Transformer::parameter_dims(const std::string& name, std::vector<std::int64_t>* dims) const {
  const Parameter* parameter = find(name);
  if (parameter == nullptr) return no_parameter(name);
  *dims = parameter->dims;
  return {};
}

bool Transformer::is_present(const Parameter& parameter) {
  return parameter.table != nullptr ? parameter.table->complete() : parameter.present;
}

std::vector<ParameterSpec> Transformer::parameters() const {
  std::vector<ParameterSpec> specs;
  for (const Parameter& parameter : parameters_) {
    specs.push_back({parameter.name, parameter.dims, is_present(parameter)});
  }
  return specs;
}

std::int64_t Transformer::parameter_count() const {
  std::int64_t total = 0;
  for (const Parameter& parameter : parameters_) total += product(parameter.dims);
  return total;
}

std::int64_t Transformer::block_count() const {
  return std::ranges::count(stages_, StageKind::kBlock, &Stage::kind);
}

std::size_t Transformer::stage_of(std::int64_t block) const {
  std::size_t behind = 0;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (stages_[i].kind != StageKind::kBlock) continue;
    if (block-- == 0) return i;
    behind = i + 1;
  }
  return behind;
}

const Transformer::Parameter* Transformer::first_missing(std::size_t end, bool pattern) const {
  for (const Parameter& parameter : parameters_) {
    const bool needed =
        parameter.stage < end || (pattern && parameter.stage == end && parameter.for_pattern);
    // Token rows are judged one by one, unless all of them make the head.
    const bool rows = parameter.table == &token_;
    if (needed && !rows && !is_present(parameter)) return &parameter;
  }
  const bool head = end > 0 && stages_[end - 1].kind == StageKind::kHead;
  const bool tied = head && config_.tied_head && config_.head != HeadKind::kClassifier;
  return tied && !token_.complete() ? parameters_.data() : nullptr;
}

std::int64_t Transformer::ready_blocks() const {
  std::int64_t ready = 0;
  for (std::size_t i = 0; i < stages_.size() && first_missing(i + 1, false) == nullptr; ++i) {
    if (stages_[i].kind == StageKind::kBlock) ++ready;
  }
  return ready;
}

std::int64_t Transformer::ready_patterns() const {
  std::int64_t ready = 0;
  for (std::size_t i = 0; i < stages_.size() && first_missing(i, true) == nullptr; ++i) {
    if (stages_[i].kind == StageKind::kBlock) ++ready;
  }
  return ready;
}

}  // namespace headwise
