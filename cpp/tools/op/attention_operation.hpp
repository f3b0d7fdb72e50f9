// The op on a request: heads as an axis or packed, with or without past keys and values.
#pragma once

#include <algorithm>
#include <cstdint>

#include "headwise/attention.hpp"
#include "message.hpp"
#include "visibility.hpp"

namespace headwise::tool {

// Computes by the kernels, or by the double-precision reference rounded once to float32.
inline Status compute(const AttentionProblem& problem, bool by_reference) {
  if (!by_reference) return attention(problem);
  const auto& dims = problem.output.dims;
  const std::int64_t pairs = dims[0] * dims[1] * dims[2] * problem.value.dims[2];
  Buffer<double> output;
  Buffer<double> scores;
  Buffer<double> weights;
  HEADWISE_RETURN_IF_ERROR(output.allocate(problem.output.size(), "reference"));
  HEADWISE_RETURN_IF_ERROR(scores.allocate(pairs, "reference"));
  HEADWISE_RETURN_IF_ERROR(weights.allocate(pairs, "reference"));
  HEADWISE_RETURN_IF_ERROR(
      reference::attention(problem, output.data(), scores.data(), weights.data()));
  const auto round = [](double value) { return static_cast<float>(value); };
  const double* row = output.data();
  for (std::int64_t b = 0; b < dims[0]; ++b) {
    for (std::int64_t h = 0; h < dims[1]; ++h) {
      for (std::int64_t i = 0; i < dims[2]; ++i, row += dims[3]) {
        std::transform(row, row + dims[3], problem.output.at(b, h, i), round);
      }
    }
  }
  if (problem.scores != nullptr) {
    std::transform(scores.data(), scores.data() + pairs, problem.scores, round);
  }
  if (problem.weights != nullptr) {
    std::transform(weights.data(), weights.data() + pairs, problem.weights, round);
  }
  return {};
}

inline Tensor<float, 4> output_view(const AttentionShape& s, float* data) {
  if (!s.packed) {
    return Tensor<float, 4>::contiguous(data,
                                        {s.batch, s.query_heads, s.query_length, s.value_head_dim});
  }
  return split_heads(Tensor<float, 3>::contiguous(
                         data, {s.batch, s.query_length, s.query_heads * s.value_head_dim}),
                     s.query_heads);
}

// Room for the output and what else is asked for; points the problem at it.
inline Status add_results(const AttentionShape& s, const Returned& returned,
                          AttentionProblem* problem, Reply* reply) {
  float* output = nullptr;
  if (s.packed) {
    HEADWISE_RETURN_IF_ERROR(
        reply->add("output", {s.batch, s.query_length, s.query_heads * s.value_head_dim}, &output));
  } else {
    HEADWISE_RETURN_IF_ERROR(
        reply->add("output", {s.batch, s.query_heads, s.query_length, s.value_head_dim}, &output));
  }
  problem->output = output_view(s, output);
  problem->scores_point = returned.scores;
  if (returned.scores != ScoresPoint::kNone) {
    HEADWISE_RETURN_IF_ERROR(reply->add(
        "scores", {s.batch, s.query_heads, s.query_length, s.kv_length}, &problem->scores));
  }
  if (returned.weights) {
    HEADWISE_RETURN_IF_ERROR(reply->add(
        "weights", {s.batch, s.query_heads, s.query_length, s.kv_length}, &problem->weights));
  }
  return {};
}

inline Status run_attention(const Request& request, bool by_reference, Reply* reply) {
  AttentionCall call;
  call.query = request.floats("query");
  call.key = request.floats("key");
  call.value = request.floats("value");
  call.past_key = request.floats("pastKey");
  call.past_value = request.floats("pastValue");
  call.num_heads = request.integer("numHeads");
  call.kv_heads = request.integer("kvHeads");
  read_visibility(request, &call);
  Returned returned;
  HEADWISE_RETURN_IF_ERROR(read_returned(request, &returned));
  HEADWISE_RETURN_IF_ERROR(request.all_used());

  AttentionShape s;
  HEADWISE_RETURN_IF_ERROR(validate(call, &s));
  float* present_key = nullptr;
  float* present_value = nullptr;
  if (call.past_key.given()) {
    HEADWISE_RETURN_IF_ERROR(
        reply->add("presentKey", {s.batch, s.kv_heads, s.kv_length, s.head_dim}, &present_key));
    HEADWISE_RETURN_IF_ERROR(reply->add(
        "presentValue", {s.batch, s.kv_heads, s.kv_length, s.value_head_dim}, &present_value));
    concatenate_past(call.past_key, heads_view(call.key, s.kv_heads), present_key);
    concatenate_past(call.past_value, heads_view(call.value, s.kv_heads), present_value);
  }
  AttentionProblem problem = resolve(call, s, present_key, present_value);
  HEADWISE_RETURN_IF_ERROR(add_results(s, returned, &problem, reply));
  return compute(problem, by_reference);
}

}  // namespace headwise::tool
