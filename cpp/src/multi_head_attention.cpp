// The layer's config and weights. Its forward pass is multi_head_attention_run.cpp.
#include "headwise/multi_head_attention.hpp"

#include <algorithm>

#include "headwise/alibi.hpp"
#include "kernels/tile.hpp"
#include "text.hpp"

namespace headwise {

namespace {

constexpr std::int64_t kMostColumns = std::int64_t{1} << 31;

Status check_size(const char* name, std::int64_t size) {
  if (size >= 1 && size < kMostColumns) return {};
  return Status::invalid(name, "an integer from 1 to 2147483647", text(size));
}

// Parts of a fused matrix start at a panel's edge, so that each can be computed alone.
constexpr std::int64_t padded(std::int64_t columns) {
  return (columns + kernels::kPanelColumns - 1) / kernels::kPanelColumns * kernels::kPanelColumns;
}

// [out, in], or [out] where in is 0.
Status check_weight(const TensorArgument& weight, const std::string& name, std::int64_t out,
                    std::int64_t in) {
  const std::array<std::int64_t, 2> dims = {out, in};
  const int rank = in == 0 ? 1 : 2;
  const bool fits =
      weight.rank == rank && weight.dims[0] == out && (rank == 1 || weight.dims[1] == in);
  if (fits) return {};
  return Status::invalid(
      name, shape_text(dims, rank) + (rank == 2 ? " [out, in]" : ""),
      weight.given() ? shape_text(weight.dims, std::min(weight.rank, 8)) : "nothing");
}

}  // namespace

Status validate(const MultiHeadAttentionConfig& config, MultiHeadAttentionShape* shape) {
  HEADWISE_RETURN_IF_ERROR(check_size("dModel", config.d_model));
  HEADWISE_RETURN_IF_ERROR(check_size("numHeads", config.num_heads));
  if (!config.head_dim.has_value() && config.d_model % config.num_heads != 0) {
    return Status::invalid("numHeads", "a divisor of dModel = " + text(config.d_model),
                           text(config.num_heads));
  }
  const std::int64_t kv_heads = config.kv_heads.value_or(config.num_heads);
  const std::int64_t head_dim = config.head_dim.value_or(config.d_model / config.num_heads);
  const MultiHeadAttentionShape resolved = {
      .d_model = config.d_model,
      .query_heads = config.num_heads,
      .kv_heads = kv_heads,
      .head_dim = head_dim,
      .value_head_dim = config.value_head_dim.value_or(head_dim),
      .key_input_dim = config.key_input_dim.value_or(config.d_model),
      .value_input_dim = config.value_input_dim.value_or(config.d_model),
  };
  HEADWISE_RETURN_IF_ERROR(check_size("kvHeads", resolved.kv_heads));
  HEADWISE_RETURN_IF_ERROR(check_size("headDim", resolved.head_dim));
  HEADWISE_RETURN_IF_ERROR(check_size("valueHeadDim", resolved.value_head_dim));
  HEADWISE_RETURN_IF_ERROR(check_size("keyInputDim", resolved.key_input_dim));
  HEADWISE_RETURN_IF_ERROR(check_size("valueInputDim", resolved.value_input_dim));
  if (config.num_heads % resolved.kv_heads != 0) {
    return Status::invalid("kvHeads", "a divisor of numHeads = " + text(config.num_heads),
                           text(resolved.kv_heads));
  }
  HEADWISE_RETURN_IF_ERROR(check_size("numHeads * headDim", resolved.query_width()));
  HEADWISE_RETURN_IF_ERROR(check_size("numHeads * valueHeadDim", resolved.z_width()));
  if (config.rotary.has_value()) {
    HEADWISE_RETURN_IF_ERROR(validate(*config.rotary, resolved.head_dim));
  }
  *shape = resolved;
  return {};
}

Status parameter_count(const MultiHeadAttentionConfig& config, ParameterCount* count) {
  MultiHeadAttentionShape s;
  HEADWISE_RETURN_IF_ERROR(validate(config, &s));
  count->query = s.query_width() * s.d_model;
  count->key = s.key_width() * s.key_input_dim;
  count->value = s.value_width() * s.value_input_dim;
  count->output = s.d_model * s.z_width();
  count->biases = (config.query_bias ? s.query_width() : 0) +
                  (config.key_bias ? s.key_width() : 0) +
                  (config.value_bias ? s.value_width() : 0) + (config.output_bias ? s.d_model : 0);
  count->total = count->query + count->key + count->value + count->output + count->biases;
  return {};
}

ParameterCount MultiHeadAttention::parameters() const {
  ParameterCount count;
  return parameter_count(config_, &count).ok() ? count : ParameterCount{};
}

Status MultiHeadAttention::create(const MultiHeadAttentionConfig& config, WeightType type) {
  MultiHeadAttentionShape s;
  HEADWISE_RETURN_IF_ERROR(headwise::validate(config, &s));
  config_ = config;
  shape_ = s;
  fused_ = s.key_input_dim == s.d_model && s.value_input_dim == s.d_model;
  if (fused_) {
    HEADWISE_RETURN_IF_ERROR(
        qkv_.create(s.d_model, padded(s.query_width()) + padded(s.key_width()) + s.value_width(),
                    type, config.query_bias || config.key_bias || config.value_bias));
  } else {
    HEADWISE_RETURN_IF_ERROR(query_.create(s.d_model, s.query_width(), type, config.query_bias));
    HEADWISE_RETURN_IF_ERROR(key_.create(s.key_input_dim, s.key_width(), type, config.key_bias));
    HEADWISE_RETURN_IF_ERROR(
        value_.create(s.value_input_dim, s.value_width(), type, config.value_bias));
  }
  HEADWISE_RETURN_IF_ERROR(output_.create(s.z_width(), s.d_model, type, config.output_bias));
  alibi_slopes_.reset();
  if (config.alibi) {
    HEADWISE_RETURN_IF_ERROR(alibi_slopes_.allocate(s.query_heads, "alibi"));
    alibi_slopes(s.query_heads, alibi_slopes_.data());
  }
  return {};
}

namespace {

// Views of a fused matrix as three: all rows of query, then of key, then of value.
Status split_fused(const MultiHeadAttentionShape& s, MultiHeadAttentionWeights* weights) {
  if (weights->query.given() || weights->key.given() || weights->value.given()) {
    return Status::invalid("weights.qkv", "qkv, or query, key and value", "both");
  }
  if (s.key_input_dim != s.d_model || s.value_input_dim != s.d_model) {
    return Status::invalid(
        "weights.qkv",
        "query, key and value where keyInputDim or valueInputDim differs from "
        "dModel = " +
            text(s.d_model),
        "keyInputDim " + text(s.key_input_dim) + ", valueInputDim " + text(s.value_input_dim));
  }
  const std::int64_t widths[] = {s.query_width(), s.key_width(), s.value_width()};
  const std::int64_t total = widths[0] + widths[1] + widths[2];
  HEADWISE_RETURN_IF_ERROR(check_weight(weights->qkv, "weights.qkv", total, s.d_model));
  if (weights->qkv_bias.given()) {
    HEADWISE_RETURN_IF_ERROR(check_weight(weights->qkv_bias, "weights.qkvBias", total, 0));
  }
  TensorArgument* parts[] = {&weights->query, &weights->key, &weights->value};
  TensorArgument* biases[] = {&weights->query_bias, &weights->key_bias, &weights->value_bias};
  std::int64_t row = 0;
  for (int i = 0; i < 3; ++i) {
    const auto from = [&](const float* data, std::int64_t step) {
      return data == nullptr ? nullptr : data + row * step;
    };
    *parts[i] = {from(weights->qkv.data, s.d_model), 2, {widths[i], s.d_model}};
    if (weights->qkv_bias.given()) {
      *biases[i] = {from(weights->qkv_bias.data, 1), 1, {widths[i]}};
    }
    row += widths[i];
  }
  return {};
}

}  // namespace

Status MultiHeadAttention::create(MultiHeadAttentionConfig config,
                                  const MultiHeadAttentionWeights& given, WeightType type) {
  MultiHeadAttentionWeights weights = given;
  if (!config.key_input_dim.has_value() && weights.key.rank == 2) {
    config.key_input_dim = weights.key.dims[1];
  }
  if (!config.value_input_dim.has_value() && weights.value.rank == 2) {
    config.value_input_dim = weights.value.dims[1];
  }
  MultiHeadAttentionShape s;
  HEADWISE_RETURN_IF_ERROR(headwise::validate(config, &s));
  if (weights.qkv.given()) HEADWISE_RETURN_IF_ERROR(split_fused(s, &weights));
  config.query_bias = weights.query_bias.given();
  config.key_bias = weights.key_bias.given();
  config.value_bias = weights.value_bias.given();
  config.output_bias = weights.output_bias.given();
  config.alibi = config.alibi || weights.alibi_slopes.given();

  struct Entry {
    Part part;
    const char* name;
    const TensorArgument& weight;
    const TensorArgument& bias;
    std::int64_t out, in;
  };
  const Entry entries[] = {
      {Part::kQuery, "query", weights.query, weights.query_bias, s.query_width(), s.d_model},
      {Part::kKey, "key", weights.key, weights.key_bias, s.key_width(), s.key_input_dim},
      {Part::kValue, "value", weights.value, weights.value_bias, s.value_width(),
       s.value_input_dim},
      {Part::kOutput, "output", weights.output, weights.output_bias, s.d_model, s.z_width()},
  };
  for (const Entry& entry : entries) {
    const std::string name = std::string("weights.") + entry.name;
    HEADWISE_RETURN_IF_ERROR(check_weight(entry.weight, name, entry.out, entry.in));
    if (entry.bias.given()) {
      HEADWISE_RETURN_IF_ERROR(check_weight(entry.bias, name + "Bias", entry.out, 0));
    }
  }
  if (weights.alibi_slopes.given()) {
    HEADWISE_RETURN_IF_ERROR(check_weight(weights.alibi_slopes, "alibi", s.query_heads, 0));
  }
  HEADWISE_RETURN_IF_ERROR(create(config, type));
  for (const Entry& entry : entries) {
    set_weight(entry.part, entry.weight.data);
    if (entry.bias.given()) set_bias(entry.part, entry.bias.data);
  }
  if (weights.alibi_slopes.given()) {
    std::copy_n(weights.alibi_slopes.data, s.query_heads, alibi_slopes_.data());
  }
  return {};
}

MultiHeadAttention::Place MultiHeadAttention::place(Part part) const {
  switch (part) {
    case Part::kQuery:
      return fused_ ? Place{&qkv_, 0} : Place{&query_, 0};
    case Part::kKey:
      return fused_ ? Place{&qkv_, padded(shape_.query_width())} : Place{&key_, 0};
    case Part::kValue:
      return fused_ ? Place{&qkv_, padded(shape_.query_width()) + padded(shape_.key_width())}
                    : Place{&value_, 0};
    case Part::kOutput:
      break;
  }
  return {&output_, 0};
}

std::int64_t MultiHeadAttention::rows(Part part) const {
  switch (part) {
    case Part::kQuery:
      return shape_.query_width();
    case Part::kKey:
      return shape_.key_width();
    case Part::kValue:
      return shape_.value_width();
    case Part::kOutput:
      break;
  }
  return shape_.d_model;
}

std::int64_t MultiHeadAttention::columns(Part part) const { return place(part).linear->in(); }

// The layer owns the matrix that `place` shows as constant.
Linear& MultiHeadAttention::matrix(Part part) { return const_cast<Linear&>(*place(part).linear); }

void MultiHeadAttention::set_weight(Part part, const float* values) {
  matrix(part).set_rows(place(part).first_row, rows(part), values);
}

void MultiHeadAttention::set_weight(Part part, const std::int8_t* values, const float* row_scales,
                                    std::span<const Outlier> outliers) {
  matrix(part).set_rows(place(part).first_row, rows(part), values, row_scales, outliers);
}

void MultiHeadAttention::set_bias(Part part, const float* values) {
  matrix(part).set_bias(place(part).first_row, rows(part), values);
}

void MultiHeadAttention::copy_weight(Part part, float* values) const {
  place(part).linear->copy_rows(place(part).first_row, rows(part), values);
}

void MultiHeadAttention::copy_bias(Part part, float* values) const {
  place(part).linear->copy_bias(place(part).first_row, rows(part), values);
}

}  // namespace headwise
