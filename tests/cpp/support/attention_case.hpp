// A random attention call that owns its data, and what the reference says about it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "headwise/attention.hpp"
#include "random.hpp"

namespace headwise::test {

struct AttentionSizes {
  std::int64_t batch = 1, query_heads = 1, kv_heads = 1, query_length = 1, kv_length = 1,
               head_dim = 1, value_head_dim = 1;
};

struct AttentionCase {
  AttentionCall call;
  AttentionShape shape;
  std::vector<float> query, key, value, bias, head_mask;
  std::vector<std::uint8_t> allowed, key_mask;
  std::vector<std::int32_t> kv_lengths;

  AttentionCase(const AttentionSizes& s, Random& random, float magnitude = 1.0F) {
    query = random.normals(s.batch * s.query_heads * s.query_length * s.head_dim, magnitude);
    key = random.normals(s.batch * s.kv_heads * s.kv_length * s.head_dim, magnitude);
    value = random.normals(s.batch * s.kv_heads * s.kv_length * s.value_head_dim);
    call.query = {query.data(), 4, {s.batch, s.query_heads, s.query_length, s.head_dim}};
    call.key = {key.data(), 4, {s.batch, s.kv_heads, s.kv_length, s.head_dim}};
    call.value = {value.data(), 4, {s.batch, s.kv_heads, s.kv_length, s.value_head_dim}};
  }
  AttentionCase(const AttentionCase&) = delete;
  AttentionCase& operator=(const AttentionCase&) = delete;
};

struct AttentionResult {
  std::vector<float> output, scores, weights;
};

// Runs the kernel; scores and weights only when asked for.
inline Status run_attention(AttentionCase& c, ScoresPoint point, bool with_weights,
                            AttentionResult* result) {
  HEADWISE_RETURN_IF_ERROR(validate(c.call, &c.shape));
  AttentionProblem problem = resolve(c.call, c.shape, nullptr, nullptr);
  const AttentionShape& s = c.shape;
  result->output.assign(static_cast<std::size_t>(s.output_size()), -77.0F);
  problem.output = Tensor<float, 4>::contiguous(
      result->output.data(), {s.batch, s.query_heads, s.query_length, s.value_head_dim});
  if (point != ScoresPoint::kNone) {
    result->scores.assign(static_cast<std::size_t>(s.scores_size()), -77.0F);
    problem.scores_point = point;
    problem.scores = result->scores.data();
  }
  if (with_weights) {
    result->weights.assign(static_cast<std::size_t>(s.scores_size()), -77.0F);
    problem.weights = result->weights.data();
  }
  return attention(problem);
}

struct ReferenceResult {
  std::vector<double> output, scores, weights;
};

inline ReferenceResult run_reference(AttentionCase& c, ScoresPoint point) {
  AttentionProblem problem = resolve(c.call, c.shape, nullptr, nullptr);
  problem.scores_point = point;
  ReferenceResult result;
  result.output.resize(static_cast<std::size_t>(c.shape.output_size()));
  result.scores.resize(static_cast<std::size_t>(c.shape.scores_size()));
  result.weights.resize(static_cast<std::size_t>(c.shape.scores_size()));
  const Status status = reference::attention(problem, result.output.data(), result.scores.data(),
                                             result.weights.data());
  EXPECT_TRUE(status.ok()) << status.received();
  return result;
}

}  // namespace headwise::test
