// A random multi-head attention layer and call that own their data.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "headwise/multi_head_attention.hpp"
#include "random.hpp"

namespace headwise::test {

struct LayerSizes {
  std::int64_t batch = 1, queries = 1;
  std::optional<std::int64_t> keys = {};  // another sequence
  std::int64_t heads = 1;
  std::optional<std::int64_t> kv_heads = {}, head_dim = {}, value_dim = {};
  std::int64_t d_model = 1;
  std::optional<std::int64_t> key_input = {}, value_input = {};
  bool biases = true;
};

struct LayerCase {
  MultiHeadAttentionConfig config;
  AttentionCall options;
  std::vector<float> query, key, value;
  std::vector<float> query_weight, key_weight, value_weight, output_weight;
  std::vector<float> query_bias, key_bias, value_bias, output_bias;
  std::vector<float> head_mask;
  std::vector<std::uint8_t> key_mask;
  std::vector<std::int32_t> positions;
  bool positions_per_batch = false;

  LayerCase(const LayerSizes& sizes, Random& random) : sizes_(sizes) {
    config.d_model = sizes.d_model;
    config.num_heads = sizes.heads;
    config.kv_heads = sizes.kv_heads;
    config.head_dim = sizes.head_dim;
    config.value_head_dim = sizes.value_dim;
    config.key_input_dim = sizes.key_input;
    config.value_input_dim = sizes.value_input;
    (void)validate(config, &shape_);
    const auto matrix = [&](std::int64_t out, std::int64_t in) {
      return random.normals(out * in, 1.0F / std::sqrt(static_cast<float>(in)));
    };
    query_weight = matrix(shape_.query_width(), shape_.d_model);
    key_weight = matrix(shape_.key_width(), shape_.key_input_dim);
    value_weight = matrix(shape_.value_width(), shape_.value_input_dim);
    output_weight = matrix(shape_.d_model, shape_.z_width());
    if (sizes.biases) {
      query_bias = random.normals(shape_.query_width());
      key_bias = random.normals(shape_.key_width());
      value_bias = random.normals(shape_.value_width());
      output_bias = random.normals(shape_.d_model);
    }
    query = random.normals(sizes.batch * sizes.queries * shape_.d_model);
    if (sizes.keys.has_value()) {
      key = random.normals(sizes.batch * *sizes.keys * shape_.key_input_dim);
      value = random.normals(sizes.batch * *sizes.keys * shape_.value_input_dim);
    }
  }

  MultiHeadAttentionWeights weights() const {
    MultiHeadAttentionWeights w;
    w.query = {query_weight.data(), 2, {shape_.query_width(), shape_.d_model}};
    w.key = {key_weight.data(), 2, {shape_.key_width(), shape_.key_input_dim}};
    w.value = {value_weight.data(), 2, {shape_.value_width(), shape_.value_input_dim}};
    w.output = {output_weight.data(), 2, {shape_.d_model, shape_.z_width()}};
    const auto bias = [](const std::vector<float>& values) {
      return values.empty()
                 ? TensorArgument{}
                 : TensorArgument{values.data(), 1, {static_cast<std::int64_t>(values.size())}};
    };
    w.query_bias = bias(query_bias);
    w.key_bias = bias(key_bias);
    w.value_bias = bias(value_bias);
    w.output_bias = bias(output_bias);
    return w;
  }

  // The same as one matrix: rows of query, then key, then value.
  MultiHeadAttentionWeights fused_weights() {
    const auto join = [](const std::vector<float>& a, const std::vector<float>& b,
                         const std::vector<float>& c) {
      std::vector<float> joined = a;
      joined.insert(joined.end(), b.begin(), b.end());
      joined.insert(joined.end(), c.begin(), c.end());
      return joined;
    };
    fused_weight_ = join(query_weight, key_weight, value_weight);
    fused_bias_ = join(query_bias, key_bias, value_bias);
    MultiHeadAttentionWeights w = weights();
    w.query = w.key = w.value = w.query_bias = w.key_bias = w.value_bias = {};
    const std::int64_t rows = shape_.query_width() + shape_.key_width() + shape_.value_width();
    w.qkv = {fused_weight_.data(), 2, {rows, shape_.d_model}};
    if (!fused_bias_.empty()) w.qkv_bias = {fused_bias_.data(), 1, {rows}};
    return w;
  }

  MultiHeadAttentionCall call() const {
    MultiHeadAttentionCall c;
    c.options = options;
    c.query = {query.data(), 3, {sizes_.batch, sizes_.queries, shape_.d_model}};
    if (sizes_.keys.has_value()) {
      c.key = {key.data(), 3, {sizes_.batch, *sizes_.keys, shape_.key_input_dim}};
      c.value = {value.data(), 3, {sizes_.batch, *sizes_.keys, shape_.value_input_dim}};
    }
    if (!key_mask.empty()) {
      c.options.key_mask = key_mask.data();
      c.options.key_mask_rank = 2;
      c.options.key_mask_dims = {sizes_.batch, sizes_.keys.value_or(sizes_.queries)};
    }
    if (!head_mask.empty()) {
      c.options.head_mask = head_mask.data();
      c.options.head_mask_size = sizes_.heads;
    }
    if (!positions.empty()) {
      c.positions = positions.data();
      c.positions_rank = positions_per_batch ? 2 : 1;
      if (positions_per_batch) {
        c.positions_dims = {sizes_.batch, sizes_.queries};
      } else {
        c.positions_dims = {sizes_.queries};
      }
    }
    return c;
  }

  void set_key_mask(Random& random) {
    key_mask.resize(static_cast<std::size_t>(sizes_.batch * sizes_.keys.value_or(sizes_.queries)));
    for (std::uint8_t& real : key_mask) real = random.chance(0.7) ? 1 : 0;
  }
  void set_head_mask(Random& random) {
    for (std::int64_t h = 0; h < sizes_.heads; ++h) {
      head_mask.push_back(random.chance(0.4) ? 0.0F : random.normal());
    }
  }
  void set_positions(Random& random) {
    positions_per_batch = random.chance(0.5);
    const std::int64_t count = sizes_.queries * (positions_per_batch ? sizes_.batch : 1);
    for (std::int64_t i = 0; i < count; ++i) {
      positions.push_back(static_cast<std::int32_t>(random.integer(0, 50)));
    }
  }

 private:
  LayerSizes sizes_;
  MultiHeadAttentionShape shape_;
  std::vector<float> fused_weight_, fused_bias_;
};

struct LayerResult {
  AttentionShape shape;
  std::vector<float> output, weights, heads;
};

inline Status run_layer(const MultiHeadAttention& layer, const MultiHeadAttentionCall& call,
                        LayerResult* result) {
  HEADWISE_RETURN_IF_ERROR(layer.validate(call, &result->shape));
  const AttentionShape& s = result->shape;
  const std::int64_t rows = s.batch * s.query_length * layer.shape().d_model;
  result->output.assign(static_cast<std::size_t>(rows), -77.0F);
  result->heads.assign(static_cast<std::size_t>(rows * s.query_heads), -77.0F);
  result->weights.assign(static_cast<std::size_t>(s.scores_size()), -77.0F);
  return forward(layer, call,
                 {.output = result->output.data(),
                  .weights = result->weights.data(),
                  .heads = result->heads.data()});
}

}  // namespace headwise::test
