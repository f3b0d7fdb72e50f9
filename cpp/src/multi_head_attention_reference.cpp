// The multi-head attention layer step by step in double precision.
#include <cmath>
#include <cstdint>
#include <vector>

#include "headwise/alibi.hpp"
#include "headwise/reference.hpp"

namespace headwise::reference {

namespace {

std::vector<double> widen(const float* values, std::int64_t count) {
  return values == nullptr ? std::vector<double>{} : std::vector<double>(values, values + count);
}

// input [B, S, in] -> heads [B, H, S, D]
std::vector<double> project(const TensorArgument& input, const float* weight, const float* bias,
                            std::int64_t heads, std::int64_t head_dim) {
  const auto [batch, length, in] = std::array{input.dims[0], input.dims[1], input.dims[2]};
  const std::int64_t out = heads * head_dim;
  const std::vector<double> bias64 = widen(bias, out);
  std::vector<double> rows(static_cast<std::size_t>(batch * length * out));
  linear(widen(input.data, batch * length * in).data(), widen(weight, out * in).data(),
         bias == nullptr ? nullptr : bias64.data(), batch * length, in, out, rows.data());
  std::vector<double> result(rows.size());
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t i = 0; i < length; ++i) {
      for (std::int64_t c = 0; c < out; ++c) {
        const std::int64_t place =
            ((b * heads + c / head_dim) * length + i) * head_dim + c % head_dim;
        result[static_cast<std::size_t>(place)] =
            rows[static_cast<std::size_t>((b * length + i) * out + c)];
      }
    }
  }
  return result;
}

void turn(const RotaryConfig& config, std::int64_t batch, std::int64_t heads, std::int64_t length,
          std::int64_t head_dim, const std::int32_t* positions, int positions_rank,
          std::vector<double>* x) {
  std::vector<std::int32_t> counted(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) {
    counted[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i);
  }
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::int32_t* row = positions_rank == 0   ? counted.data()
                              : positions_rank == 2 ? positions + b * length
                                                    : positions;
    for (std::int64_t h = 0; h < heads; ++h) {
      rotary(config, head_dim, row, length, x->data() + (b * heads + h) * length * head_dim);
    }
  }
}

Tensor<const float, 4> heads_of(const std::vector<float>& x, std::int64_t batch, std::int64_t heads,
                                std::int64_t length, std::int64_t head_dim) {
  return Tensor<const float, 4>::contiguous(x.data(), {batch, heads, length, head_dim});
}

// What each head adds to the output, [B, H, Sq, dModel], and the output: their sum and the bias.
void project_back(const std::vector<double>& z, const float* weight, const float* bias,
                  const AttentionShape& shape, std::int64_t d_model,
                  MultiHeadAttentionValues* values) {
  const std::int64_t heads = shape.query_heads;
  const std::int64_t length = shape.query_length;
  const std::int64_t value_dim = shape.value_head_dim;
  values->heads.assign(static_cast<std::size_t>(shape.batch * heads * length * d_model), 0.0);
  values->output.assign(static_cast<std::size_t>(shape.batch * length * d_model), 0.0);
  for (std::int64_t b = 0; b < shape.batch; ++b) {
    for (std::int64_t i = 0; i < length; ++i) {
      for (std::int64_t m = 0; m < d_model; ++m) {
        double sum = bias == nullptr ? 0.0 : bias[m];
        for (std::int64_t h = 0; h < heads; ++h) {
          const double* row = z.data() + ((b * heads + h) * length + i) * value_dim;
          double share = 0.0;
          for (std::int64_t c = 0; c < value_dim; ++c) {
            share += row[c] * weight[m * heads * value_dim + h * value_dim + c];
          }
          values->heads[static_cast<std::size_t>(((b * heads + h) * length + i) * d_model + m)] =
              share;
          sum += share;
        }
        values->output[static_cast<std::size_t>((b * length + i) * d_model + m)] = sum;
      }
    }
  }
}

}  // namespace

Status multi_head_attention(const MultiHeadAttentionConfig& config,
                            const MultiHeadAttentionWeights& weights,
                            const MultiHeadAttentionCall& call, MultiHeadAttentionValues* result) {
  MultiHeadAttentionShape s;
  HEADWISE_RETURN_IF_ERROR(validate(config, &s));
  const bool self = !call.key.given();
  const TensorArgument& key = self ? call.query : call.key;
  const TensorArgument& value = self ? call.query : call.value;
  const std::int64_t batch = call.query.dims[0];
  const std::int64_t queries = call.query.dims[1];
  const std::int64_t keys = key.dims[1];
  std::vector<double> q =
      project(call.query, weights.query.data, weights.query_bias.data, s.query_heads, s.head_dim);
  std::vector<double> k =
      project(key, weights.key.data, weights.key_bias.data, s.kv_heads, s.head_dim);
  const std::vector<double> v =
      project(value, weights.value.data, weights.value_bias.data, s.kv_heads, s.value_head_dim);
  if (config.rotary.has_value()) {
    turn(*config.rotary, batch, s.query_heads, queries, s.head_dim, call.positions,
         call.positions_rank, &q);
    turn(*config.rotary, batch, s.kv_heads, keys, s.head_dim, call.positions,
         self ? call.positions_rank : 0, &k);
  }
  const std::vector<float> q32(q.begin(), q.end());
  const std::vector<float> k32(k.begin(), k.end());
  const std::vector<float> v32(v.begin(), v.end());

  AttentionCall heads = call.options;
  heads.query = {q32.data(), 4, {batch, s.query_heads, queries, s.head_dim}};
  heads.key = {k32.data(), 4, {batch, s.kv_heads, keys, s.head_dim}};
  heads.value = {v32.data(), 4, {batch, s.kv_heads, keys, s.value_head_dim}};
  AttentionShape shape;
  HEADWISE_RETURN_IF_ERROR(validate(heads, &shape));
  AttentionProblem problem = resolve(heads, shape, nullptr, nullptr);
  problem.query = heads_of(q32, batch, s.query_heads, queries, s.head_dim);
  problem.key = heads_of(k32, batch, s.kv_heads, keys, s.head_dim);
  problem.value = heads_of(v32, batch, s.kv_heads, keys, s.value_head_dim);
  Buffer<float> alibi_storage;
  if (config.alibi || weights.alibi_slopes.given()) {
    std::vector<float> slopes(static_cast<std::size_t>(s.query_heads));
    alibi_slopes(s.query_heads, slopes.data());
    const float* given = weights.alibi_slopes.given() ? weights.alibi_slopes.data : slopes.data();
    HEADWISE_RETURN_IF_ERROR(add_alibi(given, keys, &problem, &alibi_storage));
  }
  std::vector<double> z(static_cast<std::size_t>(shape.output_size()));
  result->weights.resize(static_cast<std::size_t>(shape.scores_size()));
  HEADWISE_RETURN_IF_ERROR(attention(problem, z.data(), nullptr, result->weights.data()));
  project_back(z, weights.output.data, weights.output_bias.data, shape, s.d_model, result);
  return {};
}

}  // namespace headwise::reference
