// The multi-head attention layer on a request: made, run once and gone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "headwise/multi_head_attention.hpp"
#include "headwise/reference.hpp"
#include "message.hpp"
#include "visibility.hpp"

namespace headwise::tool {

inline MultiHeadAttentionConfig layer_config(const Request& request) {
  MultiHeadAttentionConfig config;
  config.d_model = request.integer("dModel").value_or(0);
  config.num_heads = request.integer("numHeads").value_or(0);
  config.kv_heads = request.integer("kvHeads");
  config.head_dim = request.integer("headDim");
  config.value_head_dim = request.integer("valueHeadDim");
  config.key_input_dim = request.integer("keyInputDim");
  config.value_input_dim = request.integer("valueInputDim");
  config.alibi = request.flag("alibi");
  static_cast<void>(request.number("dropout"));  // a setting that the layer knows and ignores
  RotaryConfig rotary;
  const auto dim = request.integer("rotary.dim");
  const auto base = request.number("rotary.base");
  const auto scaling = request.number("rotary.scaling");
  const auto interleaved = request.words("rotary.interleaved");
  rotary.dim = dim.value_or(rotary.dim);
  rotary.base = base.value_or(rotary.base);
  rotary.scaling = scaling.value_or(rotary.scaling);
  rotary.interleaved = !interleaved.empty() && interleaved[0] == "true";
  if (dim || base || scaling || !interleaved.empty()) config.rotary = rotary;
  return config;
}

inline MultiHeadAttentionWeights layer_weights(const Request& request) {
  return {.query = request.floats("weights.query"),
          .key = request.floats("weights.key"),
          .value = request.floats("weights.value"),
          .output = request.floats("weights.output"),
          .query_bias = request.floats("weights.queryBias"),
          .key_bias = request.floats("weights.keyBias"),
          .value_bias = request.floats("weights.valueBias"),
          .output_bias = request.floats("weights.outputBias"),
          .qkv = request.floats("weights.qkv"),
          .qkv_bias = request.floats("weights.qkvBias"),
          .alibi_slopes = request.floats("alibi")};
}

// The fused matrix as three, which is how the reference takes weights.
inline void split_fused(const MultiHeadAttentionShape& s, MultiHeadAttentionWeights* weights) {
  if (!weights->qkv.given()) return;
  const std::int64_t widths[] = {s.query_width(), s.key_width(), s.value_width()};
  TensorArgument* parts[] = {&weights->query, &weights->key, &weights->value};
  TensorArgument* biases[] = {&weights->query_bias, &weights->key_bias, &weights->value_bias};
  std::int64_t row = 0;
  for (int i = 0; i < 3; ++i) {
    *parts[i] = {weights->qkv.data + row * s.d_model, 2, {widths[i], s.d_model}};
    if (weights->qkv_bias.given()) *biases[i] = {weights->qkv_bias.data + row, 1, {widths[i]}};
    row += widths[i];
  }
}

inline Status compute_by_reference(const MultiHeadAttention& layer,
                                   MultiHeadAttentionWeights weights,
                                   const MultiHeadAttentionCall& call,
                                   const MultiHeadAttentionResult& result) {
  if (result.scores != nullptr) {
    return Status::unsupported("returnScores", "the kernels", "the reference of the layer");
  }
  split_fused(layer.shape(), &weights);
  reference::MultiHeadAttentionValues values;
  HEADWISE_RETURN_IF_ERROR(reference::multi_head_attention(layer.config(), weights, call, &values));
  const auto copy = [](const std::vector<double>& from, float* to) {
    if (to == nullptr) return;
    std::transform(from.begin(), from.end(), to,
                   [](double value) { return static_cast<float>(value); });
  };
  copy(values.output, result.output);
  copy(values.weights, result.weights);
  copy(values.heads, result.heads);
  return {};
}

inline Status run_layer(const Request& request, bool by_reference, Reply* reply) {
  const MultiHeadAttentionWeights weights = layer_weights(request);
  const MultiHeadAttentionConfig config = layer_config(request);
  MultiHeadAttentionCall call;
  call.query = request.floats("query");
  call.key = request.floats("key");
  call.value = request.floats("value");
  read_visibility(request, &call.options);
  if (const NamedTensor* positions = request.tensor("positions", "int32")) {
    call.positions = reinterpret_cast<const std::int32_t*>(positions->bytes.data());
    call.positions_rank = static_cast<int>(positions->dims.size());
    call.positions_dims = positions->padded_dims();
  }
  const bool return_heads = request.flag("returnHeads");
  Returned returned;
  HEADWISE_RETURN_IF_ERROR(read_returned(request, &returned));
  HEADWISE_RETURN_IF_ERROR(request.all_used());

  MultiHeadAttention layer;
  HEADWISE_RETURN_IF_ERROR(layer.create(config, weights, WeightType::kFloat32));
  AttentionShape s;
  HEADWISE_RETURN_IF_ERROR(layer.validate(call, &s));
  const std::int64_t width = layer.shape().d_model;
  MultiHeadAttentionResult result;
  result.scores_point = returned.scores;
  HEADWISE_RETURN_IF_ERROR(reply->add("output", {s.batch, s.query_length, width}, &result.output));
  if (returned.scores != ScoresPoint::kNone) {
    HEADWISE_RETURN_IF_ERROR(reply->add(
        "scores", {s.batch, s.query_heads, s.query_length, s.kv_length}, &result.scores));
  }
  if (returned.weights) {
    HEADWISE_RETURN_IF_ERROR(reply->add(
        "weights", {s.batch, s.query_heads, s.query_length, s.kv_length}, &result.weights));
  }
  if (return_heads) {
    HEADWISE_RETURN_IF_ERROR(
        reply->add("heads", {s.batch, s.query_heads, s.query_length, width}, &result.heads));
  }
  return by_reference ? compute_by_reference(layer, weights, call, result)
                      : forward(layer, call, result);
}

}  // namespace headwise::tool
