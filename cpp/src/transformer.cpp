// The transformer's config and parameters. Its forward pass is transformer_run.cpp.
#include "headwise/transformer.hpp"

#include <algorithm>
#include <cmath>

#include "text.hpp"

namespace headwise {

namespace {

// Bounds well above any model: a config that was made up or damaged is refused before memory is
// taken for it.
constexpr std::int64_t kMostLayers = 4096;
constexpr std::int64_t kMostColumns = std::int64_t{1} << 20;
constexpr std::int64_t kMostRows = std::int64_t{1} << 24;

// The parameters of a block, in the order of use.
enum Slot {
  kQueryWeight,
  kQueryBias,
  kKeyWeight,
  kKeyBias,
  kValueWeight,
  kValueBias,  //
  kOutputWeight,
  kOutputBias,
  kLn1Weight,
  kLn1Bias,  //
  kMlpInWeight,
  kMlpInBias,
  kMlpOutWeight,
  kMlpOutBias,
  kLn2Weight,
  kLn2Bias,
  kSlots
};
constexpr const char* kSlotNames[kSlots] = {
    "attn.query.weight", "attn.query.bias", "attn.key.weight",    "attn.key.bias",
    "attn.value.weight", "attn.value.bias", "attn.output.weight", "attn.output.bias",
    "ln1.weight",        "ln1.bias",        "mlp.in.weight",      "mlp.in.bias",
    "mlp.out.weight",    "mlp.out.bias",    "ln2.weight",         "ln2.bias",
};

using Part = MultiHeadAttention::Part;

Part part_of(int slot) {
  switch (slot / 2 * 2) {
    case kQueryWeight:
      return Part::kQuery;
    case kKeyWeight:
      return Part::kKey;
    case kValueWeight:
      return Part::kValue;
    default:
      return Part::kOutput;
  }
}

struct BlockPlace {
  std::size_t block;
  int slot;
};

BlockPlace block_place(std::size_t index, std::size_t embedding_names) {
  return {(index - embedding_names) / kSlots, static_cast<int>((index - embedding_names) % kSlots)};
}

std::size_t embedding_names(const TransformerConfig& config) {
  return config.token_types > 0 ? 5 : 4;
}

Status check_size(const char* name, std::int64_t size, std::int64_t least, std::int64_t most) {
  if (size >= least && size <= most) return {};
  return Status::invalid(name, "an integer from " + text(least) + " to " + text(most), text(size));
}

Status check_outliers(const std::string& name, const std::vector<std::int64_t>& dims,
                      std::span<const Outlier> outliers) {
  for (const Outlier& outlier : outliers) {
    const bool inside = outlier.row >= 0 && outlier.row < dims[0] && outlier.column >= 0 &&
                        outlier.column < dims[1];
    if (inside) continue;
    return Status::invalid(name, "outliers inside " + shape_text(dims, 2),
                           "one at " + text(outlier.row) + ", " + text(outlier.column));
  }
  return {};
}

MultiHeadAttentionConfig attention_config(const TransformerConfig& config) {
  MultiHeadAttentionConfig attention{.d_model = config.d_model, .num_heads = config.num_heads};
  attention.query_bias = attention.key_bias = true;
  attention.value_bias = attention.output_bias = true;
  return attention;
}

}  // namespace

Status Transformer::validate(const TransformerConfig& config) {
  HEADWISE_RETURN_IF_ERROR(check_size("numLayers", config.num_layers, 1, kMostLayers));
  HEADWISE_RETURN_IF_ERROR(check_size("dModel", config.d_model, 1, kMostColumns));
  HEADWISE_RETURN_IF_ERROR(check_size("dMlp", config.d_mlp, 1, kMostColumns));
  HEADWISE_RETURN_IF_ERROR(check_size("vocabulary", config.vocabulary, 1, kMostRows));
  HEADWISE_RETURN_IF_ERROR(check_size("maxPositions", config.max_positions, 1, kMostRows));
  HEADWISE_RETURN_IF_ERROR(check_size("tokenTypes", config.token_types, 0, kMostRows));
  if (!std::isfinite(config.norm_epsilon) || config.norm_epsilon < 0.0) {
    return Status::invalid("normEpsilon", "a finite number of 0 or more",
                           text(config.norm_epsilon));
  }
  MultiHeadAttentionShape shape;
  return headwise::validate(attention_config(config), &shape);
}

Status Transformer::create(const TransformerConfig& config, WeightType type) {
  HEADWISE_RETURN_IF_ERROR(validate(config));
  config_ = config;
  type_ = type;
  names_ = {"embed.token", "embed.position"};
  if (config.token_types > 0) names_.push_back("embed.token_type");
  names_.insert(names_.end(), {"embed.ln.weight", "embed.ln.bias"});
  for (std::int64_t i = 0; i < config.num_layers; ++i) {
    const std::string prefix = "blocks." + text(i) + ".";
    for (const char* slot : kSlotNames) names_.push_back(prefix + slot);
  }
  present_.assign(names_.size(), false);
  blocks_.clear();
  blocks_.resize(static_cast<std::size_t>(config.num_layers));
  HEADWISE_RETURN_IF_ERROR(token_.create(config.vocabulary, config.d_model, "embed.token"));
  HEADWISE_RETURN_IF_ERROR(
      position_.create(config.max_positions, config.d_model, "embed.position"));
  HEADWISE_RETURN_IF_ERROR(
      token_type_.create(config.token_types, config.d_model, "embed.token_type"));
  return take_norm(&embed_ln_);
}

Status Transformer::take_norm(Norm* norm) const {
  HEADWISE_RETURN_IF_ERROR(norm->weight.allocate(config_.d_model, "weights"));
  return norm->bias.allocate(config_.d_model, "weights");
}

Status Transformer::take_block(std::size_t index) {
  Block& block = blocks_[index];
  if (block.taken) return {};
  HEADWISE_RETURN_IF_ERROR(block.attention.create(attention_config(config_), type_));
  HEADWISE_RETURN_IF_ERROR(block.mlp_in.create(config_.d_model, config_.d_mlp, type_, true));
  HEADWISE_RETURN_IF_ERROR(block.mlp_out.create(config_.d_mlp, config_.d_model, type_, true));
  HEADWISE_RETURN_IF_ERROR(take_norm(&block.ln1));
  HEADWISE_RETURN_IF_ERROR(take_norm(&block.ln2));
  block.taken = true;
  return {};
}

std::vector<std::int64_t> Transformer::dims_of(std::size_t index) const {
  const std::int64_t d_model = config_.d_model;
  const std::size_t first_block = embedding_names(config_);
  if (index >= first_block) {
    switch (block_place(index, first_block).slot) {
      case kQueryWeight:
      case kKeyWeight:
      case kValueWeight:
      case kOutputWeight:
        return {d_model, d_model};
      case kMlpInWeight:
        return {config_.d_mlp, d_model};
      case kMlpInBias:
        return {config_.d_mlp};
      case kMlpOutWeight:
        return {d_model, config_.d_mlp};
      default:
        return {d_model};
    }
  }
  if (index == 0) return {config_.vocabulary, d_model};
  if (index == 1) return {config_.max_positions, d_model};
  if (index == 2 && config_.token_types > 0) return {config_.token_types, d_model};
  return {d_model};
}

// For both kinds of access; null for what is no table.
template <typename Self>
auto Transformer::table_in(Self& self, std::size_t index) -> decltype(&self.token_) {
  if (index == 0) return &self.token_;
  if (index == 1) return &self.position_;
  return index == 2 && self.config_.token_types > 0 ? &self.token_type_ : nullptr;
}

EmbeddingTable* Transformer::table_of(std::size_t index) { return table_in(*this, index); }

const EmbeddingTable* Transformer::table_of(std::size_t index) const {
  return table_in(*this, index);
}

template <typename Self>
auto Transformer::norm_in(Self& self, std::size_t index) -> decltype(&self.embed_ln_.weight) {
  const std::size_t first_block = embedding_names(self.config_);
  if (index == first_block - 2) return &self.embed_ln_.weight;
  if (index == first_block - 1) return &self.embed_ln_.bias;
  if (index < first_block) return nullptr;
  const auto [block, slot] = block_place(index, first_block);
  switch (slot) {
    case kLn1Weight:
      return &self.blocks_[block].ln1.weight;
    case kLn1Bias:
      return &self.blocks_[block].ln1.bias;
    case kLn2Weight:
      return &self.blocks_[block].ln2.weight;
    case kLn2Bias:
      return &self.blocks_[block].ln2.bias;
    default:
      return nullptr;
  }
}

// The parameter's number; with dims, whether they are its own.
Status Transformer::find(const std::string& name, const std::vector<std::int64_t>* dims,
                         std::size_t* index) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return unknown_name("name", name, names_);
  *index = static_cast<std::size_t>(found - names_.begin());
  const std::vector<std::int64_t> own = dims_of(*index);
  if (dims == nullptr || *dims == own) return {};
  return Status::invalid(name, shape_text(own, static_cast<int>(own.size())),
                         shape_text(*dims, static_cast<int>(dims->size())));
}

Status Transformer::set_parameter(const std::string& name, const std::vector<std::int64_t>& dims,
                                  const float* values) {
  std::size_t index = 0;
  HEADWISE_RETURN_IF_ERROR(find(name, &dims, &index));
  if (EmbeddingTable* table = table_of(index)) return table->set_rows(nullptr, dims[0], values);
  const std::size_t first_block = embedding_names(config_);
  if (index >= first_block) {
    const auto [place, slot] = block_place(index, first_block);
    HEADWISE_RETURN_IF_ERROR(take_block(place));
    Block& block = blocks_[place];
    switch (slot) {
      case kMlpInWeight:
        block.mlp_in.set_rows(0, dims[0], values);
        break;
      case kMlpInBias:
        block.mlp_in.set_bias(0, dims[0], values);
        break;
      case kMlpOutWeight:
        block.mlp_out.set_rows(0, dims[0], values);
        break;
      case kMlpOutBias:
        block.mlp_out.set_bias(0, dims[0], values);
        break;
      default:
        if (slot <= kOutputBias && dims.size() == 2) {
          block.attention.set_weight(part_of(slot), values);
        } else if (slot <= kOutputBias) {
          block.attention.set_bias(part_of(slot), values);
        }
    }
  }
  if (Buffer<float>* norm = norm_in(*this, index)) std::copy_n(values, dims[0], norm->data());
  present_[index] = true;
  return {};
}

Status Transformer::set_parameter_int8(const std::string& name,
                                       const std::vector<std::int64_t>& dims,
                                       const std::int8_t* values, const float* row_scales,
                                       std::span<const Outlier> outliers) {
  std::size_t index = 0;
  HEADWISE_RETURN_IF_ERROR(find(name, &dims, &index));
  if (EmbeddingTable* table = table_of(index)) {
    if (!outliers.empty()) return Status::unsupported(name, "a table without outliers", "outliers");
    return table->set_rows(nullptr, dims[0], values, row_scales);
  }
  if (dims.size() != 2) return Status::invalid(name, "float32 values", "int8 values");
  HEADWISE_RETURN_IF_ERROR(check_outliers(name, dims, outliers));
  const auto [place, slot] = block_place(index, embedding_names(config_));
  HEADWISE_RETURN_IF_ERROR(take_block(place));
  Block& block = blocks_[place];
  if (slot == kMlpInWeight) {
    block.mlp_in.set_rows(0, dims[0], values, row_scales, outliers);
  } else if (slot == kMlpOutWeight) {
    block.mlp_out.set_rows(0, dims[0], values, row_scales, outliers);
  } else {
    block.attention.set_weight(part_of(slot), values, row_scales, outliers);
  }
  present_[index] = true;
  return {};
}

Status Transformer::find_table(const std::string& name, EmbeddingTable** table) {
  std::size_t index = 0;
  HEADWISE_RETURN_IF_ERROR(find(name, nullptr, &index));
  *table = table_of(index);
  if (*table != nullptr) return {};
  return Status::invalid("name",
                         "an embedding table: embed.token, embed.position, embed.token_type", name);
}

Status Transformer::set_embedding_rows(const std::string& name, const std::int32_t* row_ids,
                                       std::int64_t count, const float* values) {
  EmbeddingTable* table = nullptr;
  HEADWISE_RETURN_IF_ERROR(find_table(name, &table));
  return table->set_rows(row_ids, count, values);
}

Status Transformer::set_embedding_rows_int8(const std::string& name, const std::int32_t* row_ids,
                                            std::int64_t count, const std::int8_t* values,
                                            const float* row_scales) {
  EmbeddingTable* table = nullptr;
  HEADWISE_RETURN_IF_ERROR(find_table(name, &table));
  return table->set_rows(row_ids, count, values, row_scales);
}

Status Transformer::copy_parameter(const std::string& name, float* values) const {
  std::size_t index = 0;
  HEADWISE_RETURN_IF_ERROR(find(name, nullptr, &index));
  if (!is_present(index)) {
    return Status::unsupported("name", "a parameter that has arrived", name + ", which has not");
  }
  if (const EmbeddingTable* table = table_of(index)) {
    const std::int64_t width = table->width();
    for (std::int32_t row = 0; row < table->rows(); ++row) {
      table->lookup(&row, 1, Tensor<float, 2>::contiguous(values + row * width, {1, width}));
    }
    return {};
  }
  if (const Buffer<float>* norm = norm_in(*this, index)) {
    std::copy_n(norm->data(), norm->size(), values);
    return {};
  }
  const auto [place, slot] = block_place(index, embedding_names(config_));
  const Block& block = blocks_[place];
  switch (slot) {
    case kMlpInWeight:
      block.mlp_in.copy_rows(0, config_.d_mlp, values);
      break;
    case kMlpInBias:
      block.mlp_in.copy_bias(0, config_.d_mlp, values);
      break;
    case kMlpOutWeight:
      block.mlp_out.copy_rows(0, config_.d_model, values);
      break;
    case kMlpOutBias:
      block.mlp_out.copy_bias(0, config_.d_model, values);
      break;
    default:
      if (dims_of(index).size() == 2) {
        block.attention.copy_weight(part_of(slot), values);
      } else {
        block.attention.copy_bias(part_of(slot), values);
      }
  }
  return {};
}

Status Transformer::parameter_dims(const std::string& name, std::vector<std::int64_t>* dims) const {
  std::size_t index = 0;
  HEADWISE_RETURN_IF_ERROR(find(name, nullptr, &index));
  *dims = dims_of(index);
  return {};
}

bool Transformer::is_present(std::size_t index) const {
  const EmbeddingTable* table = table_of(index);
  return table != nullptr ? table->complete() : present_[index];
}

std::vector<ParameterSpec> Transformer::parameters() const {
  std::vector<ParameterSpec> specs;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    specs.push_back({names_[i], dims_of(i), is_present(i)});
  }
  return specs;
}

std::int64_t Transformer::parameter_count() const {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::int64_t size = 1;
    for (const std::int64_t dim : dims_of(i)) size *= dim;
    total += size;
  }
  return total;
}

bool Transformer::embedding_ready() const {
  for (std::size_t i = 1; i < embedding_names(config_); ++i) {
    if (!is_present(i)) return false;
  }
  return true;
}

bool Transformer::block_has(std::int64_t block, int slots) const {
  const std::size_t first = embedding_names(config_) + static_cast<std::size_t>(block) * kSlots;
  return std::all_of(present_.begin() + static_cast<std::ptrdiff_t>(first),
                     present_.begin() + static_cast<std::ptrdiff_t>(first) + slots,
                     [](bool present) { return present; });
}

std::int64_t Transformer::ready_blocks() const {
  std::int64_t ready = 0;
  if (!embedding_ready()) return 0;
  while (ready < config_.num_layers && block_has(ready, kSlots)) ++ready;
  return ready;
}

std::int64_t Transformer::ready_patterns() const {
  const std::int64_t ready = ready_blocks();
  const bool next =
      embedding_ready() && ready < config_.num_layers && block_has(ready, kKeyBias + 1);
  return next ? ready + 1 : ready;
}

std::vector<std::string> Transformer::activation_names() const {
  std::vector<std::string> names = {"embed.hook_embed", "embed.hook_pos_embed"};
  if (config_.token_types > 0) names.push_back("embed.hook_token_type_embed");
  names.insert(names.end(), {"embed.ln.hook_scale", "embed.ln.hook_normalized", "hook_full_embed"});
  for (std::int64_t i = 0; i < config_.num_layers; ++i) {
    const std::string prefix = "blocks." + text(i) + ".";
    for (const char* hook :
         {"hook_resid_pre", "attn.hook_q", "attn.hook_k", "attn.hook_v", "attn.hook_attn_scores",
          "attn.hook_pattern", "attn.hook_z", "attn.hook_result", "hook_attn_out", "hook_resid_mid",
          "ln1.hook_scale", "ln1.hook_normalized", "mlp.hook_pre", "mlp.hook_post", "hook_mlp_out",
          "hook_resid_post", "ln2.hook_scale", "ln2.hook_normalized",
          "hook_normalized_resid_post"}) {
      names.push_back(prefix + hook);
    }
  }
  return names;
}

}  // namespace headwise
