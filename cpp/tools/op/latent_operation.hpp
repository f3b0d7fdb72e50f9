// Latent attention on a request of projected and rotated inputs. The library has no reference of it
// and needs none: by definition it is the op on the keys and values that the latents stand for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "attention_operation.hpp"
#include "headwise/latent_attention.hpp"
#include "message.hpp"
#include "visibility.hpp"

namespace headwise::tool {

// latent [B, S, latent] times up [H, latent, width], in double precision, beside what comes from
// `rope` [B, S, rope] for every head: [B, H, S, width + rope].
inline Status expand(const TensorArgument& latent, const TensorArgument& up,
                     const TensorArgument* rope, Buffer<float>* target) {
  const std::int64_t heads = up.dims[0];
  const std::int64_t inner = up.dims[1];
  const std::int64_t width = up.dims[2];
  const std::int64_t beside = rope == nullptr ? 0 : rope->dims[2];
  const std::int64_t rows = latent.dims[0] * heads * latent.dims[1];
  HEADWISE_RETURN_IF_ERROR(target->allocate(rows * (width + beside), "reference"));
  float* out = target->data();
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t h = row / latent.dims[1] % heads;
    const std::int64_t place =
        row / (heads * latent.dims[1]) * latent.dims[1] + row % latent.dims[1];
    for (std::int64_t c = 0; c < width; ++c) {
      double sum = 0.0;
      for (std::int64_t d = 0; d < inner; ++d) {
        sum += static_cast<double>(latent.data[place * inner + d]) *
               up.data[(h * inner + d) * width + c];
      }
      *out++ = static_cast<float>(sum);
    }
    if (rope != nullptr) out = std::copy_n(rope->data + place * beside, beside, out);
  }
  return {};
}

inline Status latent_by_reference(const LatentAttentionInputs& inputs, const AttentionCall& options,
                                  const AttentionShape& s, AttentionProblem problem) {
  const std::int64_t nope = inputs.query_nope.dims[3];
  const std::int64_t rope = inputs.query_rope.dims[3];
  const std::int64_t rows = s.batch * s.query_heads * s.query_length;
  Buffer<float> query;
  Buffer<float> key;
  Buffer<float> value;
  HEADWISE_RETURN_IF_ERROR(query.allocate(rows * (nope + rope), "reference"));
  float* out = query.data();
  for (std::int64_t row = 0; row < rows; ++row) {
    out = std::copy_n(inputs.query_nope.data + row * nope, nope, out);
    out = std::copy_n(inputs.query_rope.data + row * rope, rope, out);
  }
  HEADWISE_RETURN_IF_ERROR(expand(inputs.latent, inputs.uk, &inputs.key_rope, &key));
  HEADWISE_RETURN_IF_ERROR(expand(inputs.latent, inputs.uv, nullptr, &value));
  AttentionCall call = options;
  call.query = {query.data(), 4, {s.batch, s.query_heads, s.query_length, nope + rope}};
  call.key = {key.data(), 4, {s.batch, s.query_heads, s.kv_length, nope + rope}};
  call.value = {value.data(), 4, {s.batch, s.query_heads, s.kv_length, s.value_head_dim}};
  AttentionShape shape;
  HEADWISE_RETURN_IF_ERROR(validate(call, &shape));
  const AttentionProblem results = problem;
  problem = resolve(call, shape, nullptr, nullptr);
  problem.output = results.output;
  problem.scores_point = results.scores_point;
  problem.scores = results.scores;
  problem.weights = results.weights;
  return compute(problem, true);
}

inline Status run_latent(const Request& request, bool by_reference, Reply* reply) {
  const LatentAttentionInputs inputs{.query_nope = request.floats("queryNope"),
                                     .query_rope = request.floats("queryRope"),
                                     .latent = request.floats("latent"),
                                     .key_rope = request.floats("keyRope"),
                                     .uk = request.floats("weights.uk"),
                                     .uv = request.floats("weights.uv")};
  AttentionCall options;
  read_visibility(request, &options);
  const std::vector<std::string> form = request.words("form");
  const bool absorbed = !form.empty() && form[0] == "absorbed";
  Returned returned;
  HEADWISE_RETURN_IF_ERROR(read_returned(request, &returned));
  HEADWISE_RETURN_IF_ERROR(request.all_used());

  AttentionShape s;
  HEADWISE_RETURN_IF_ERROR(validate(inputs, options, &s));
  AttentionProblem results;  // for its outputs alone
  HEADWISE_RETURN_IF_ERROR(add_results(s, returned, &results, reply));
  if (by_reference) return latent_by_reference(inputs, options, s, results);
  return latent_attention(inputs, absorbed ? LatentForm::kAbsorbed : LatentForm::kExpanded, options,
                          {.output = results.output.data,
                           .scores = results.scores,
                           .scores_point = results.scores_point,
                           .weights = results.weights});
}

}  // namespace headwise::tool
