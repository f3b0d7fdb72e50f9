#include "headwise/latent_attention.hpp"

#include <algorithm>
#include <string>

#include "headwise/latent_attention_run.hpp"
#include "latent_attention_parts.hpp"
#include "text.hpp"

namespace headwise {

namespace {

Status check_rank(const TensorArgument& tensor, const char* name, int rank, const char* expected) {
  if (tensor.rank == rank) return {};
  return Status::invalid(name, expected,
                         tensor.given() ? "rank " + text(std::int64_t{tensor.rank}) + ", dims " +
                                              shape_text(tensor.dims, std::min(tensor.rank, 8))
                                        : "nothing");
}

Status check_dims(const TensorArgument& tensor, const std::string& name,
                  std::initializer_list<std::int64_t> dims) {
  const int rank = static_cast<int>(dims.size());
  if (tensor.rank == rank && std::equal(dims.begin(), dims.end(), tensor.dims.begin())) return {};
  return Status::invalid(
      name, shape_text(dims.begin(), rank),
      tensor.given() ? shape_text(tensor.dims, std::min(tensor.rank, 8)) : "nothing");
}

Status check_size(const char* name, std::int64_t size, std::int64_t least) {
  if (size >= least && size < (std::int64_t{1} << 31)) return {};
  return Status::invalid(name, "an integer from " + text(least) + " to 2147483647", text(size));
}

Status check_options(const AttentionCall& options) {
  if (!options.past_key.given() && !options.past_value.given() &&
      !options.cache_length.has_value()) {
    return {};
  }
  return Status::unsupported("cache", "latent attention without past keys", "past keys");
}

}  // namespace

Status validate(const LatentAttentionInputs& inputs, const AttentionCall& options,
                AttentionShape* shape) {
  HEADWISE_RETURN_IF_ERROR(
      check_rank(inputs.query_nope, "queryNope", 4, "rank 4 [B, H, Sq, nope]"));
  HEADWISE_RETURN_IF_ERROR(
      check_rank(inputs.query_rope, "queryRope", 4, "rank 4 [B, H, Sq, rope]"));
  HEADWISE_RETURN_IF_ERROR(check_rank(inputs.latent, "latent", 3, "rank 3 [B, Skv, latent]"));
  HEADWISE_RETURN_IF_ERROR(check_rank(inputs.key_rope, "keyRope", 3, "rank 3 [B, Skv, rope]"));
  HEADWISE_RETURN_IF_ERROR(check_rank(inputs.uk, "weights.uk", 3, "rank 3 [H, latent, nope]"));
  HEADWISE_RETURN_IF_ERROR(check_rank(inputs.uv, "weights.uv", 3, "rank 3 [H, latent, Dv]"));
  HEADWISE_RETURN_IF_ERROR(check_options(options));
  const LatentAttentionSizes s = sizes_of(inputs);
  const std::int64_t batch = inputs.query_nope.dims[0];
  const std::int64_t queries = inputs.query_nope.dims[2];
  const std::int64_t keys = inputs.latent.dims[1];
  HEADWISE_RETURN_IF_ERROR(check_size("queryNope", s.heads, 1));
  HEADWISE_RETURN_IF_ERROR(check_size("queryNope", s.nope_dim, 1));
  HEADWISE_RETURN_IF_ERROR(check_size("queryRope", s.rope_dim, 0));
  HEADWISE_RETURN_IF_ERROR(check_size("latent", s.latent_dim, 1));
  HEADWISE_RETURN_IF_ERROR(check_size("weights.uv", s.value_head_dim, 1));
  HEADWISE_RETURN_IF_ERROR(
      check_dims(inputs.query_rope, "queryRope", {batch, s.heads, queries, s.rope_dim}));
  HEADWISE_RETURN_IF_ERROR(check_dims(inputs.latent, "latent", {batch, keys, s.latent_dim}));
  HEADWISE_RETURN_IF_ERROR(check_dims(inputs.key_rope, "keyRope", {batch, keys, s.rope_dim}));
  HEADWISE_RETURN_IF_ERROR(
      check_dims(inputs.uk, "weights.uk", {s.heads, s.latent_dim, s.nope_dim}));
  HEADWISE_RETURN_IF_ERROR(
      check_dims(inputs.uv, "weights.uv", {s.heads, s.latent_dim, s.value_head_dim}));
  return validate(expanded_call(s, batch, queries, keys, options), shape);
}

Status latent_attention(const LatentAttentionInputs& inputs, LatentForm form,
                        const AttentionCall& options, const LatentAttentionResult& result) {
  LatentAttentionRun run;
  HEADWISE_RETURN_IF_ERROR(run.begin(inputs, form, options, result));
  return run.finish();
}

Status LatentAttention::create(const LatentAttentionConfig& config,
                               const LatentAttentionWeights& w) {
  HEADWISE_RETURN_IF_ERROR(check_size("dModel", config.d_model, 1));
  HEADWISE_RETURN_IF_ERROR(check_size("numHeads", config.num_heads, 1));
  HEADWISE_RETURN_IF_ERROR(check_size("nopeDim", config.nope_dim, 1));
  HEADWISE_RETURN_IF_ERROR(check_size("ropeDim", config.rope_dim, 0));
  HEADWISE_RETURN_IF_ERROR(check_size("valueHeadDim", config.value_head_dim, 1));
  HEADWISE_RETURN_IF_ERROR(check_size("latentDim", config.latent_dim, 1));
  if (config.rope_dim > 0) {
    HEADWISE_RETURN_IF_ERROR(headwise::validate(config.rotary, config.rope_dim));
  }
  const LatentAttentionSizes s = sizes_of(config);
  const std::int64_t query_width = s.heads * (s.nope_dim + s.rope_dim);
  const std::int64_t query_input = config.query_latent_dim.value_or(config.d_model);
  const std::int64_t z_width = s.heads * s.value_head_dim;
  HEADWISE_RETURN_IF_ERROR(check_size("queryLatentDim", query_input, 1));
  HEADWISE_RETURN_IF_ERROR(check_dims(w.query, "weights.query", {query_width, query_input}));
  if (config.query_latent_dim.has_value()) {
    HEADWISE_RETURN_IF_ERROR(
        check_dims(w.query_down, "weights.queryDown", {query_input, config.d_model}));
  } else if (w.query_down.given()) {
    return Status::invalid("weights.queryDown", "nothing without queryLatentDim",
                           shape_text(w.query_down.dims, std::min(w.query_down.rank, 8)));
  }
  HEADWISE_RETURN_IF_ERROR(
      check_dims(w.latent, "weights.latent", {s.latent_dim + s.rope_dim, config.d_model}));
  HEADWISE_RETURN_IF_ERROR(check_dims(w.uk, "weights.uk", {s.heads, s.latent_dim, s.nope_dim}));
  HEADWISE_RETURN_IF_ERROR(
      check_dims(w.uv, "weights.uv", {s.heads, s.latent_dim, s.value_head_dim}));
  HEADWISE_RETURN_IF_ERROR(check_dims(w.output, "weights.output", {config.d_model, z_width}));

  config_ = config;
  const auto pack = [](const TensorArgument& weight, Linear* linear) -> Status {
    HEADWISE_RETURN_IF_ERROR(
        linear->create(weight.dims[1], weight.dims[0], WeightType::kFloat32, false));
    linear->set_rows(0, weight.dims[0], weight.data);
    return {};
  };
  if (w.query_down.given()) HEADWISE_RETURN_IF_ERROR(pack(w.query_down, &query_down_));
  HEADWISE_RETURN_IF_ERROR(pack(w.query, &query_));
  HEADWISE_RETURN_IF_ERROR(pack(w.latent, &latent_));
  HEADWISE_RETURN_IF_ERROR(pack(w.output, &output_));
  return weights_.create(s, w.uk.data, w.uv.data);
}

Status LatentAttention::validate(const LatentAttentionCall& call, AttentionShape* shape) const {
  HEADWISE_RETURN_IF_ERROR(check_rank(call.x, "x", 3, "rank 3 [B, S, dModel]"));
  const std::int64_t batch = call.x.dims[0];
  const std::int64_t length = call.x.dims[1];
  HEADWISE_RETURN_IF_ERROR(check_dims(call.x, "x", {batch, length, config_.d_model}));
  HEADWISE_RETURN_IF_ERROR(check_options(call.options));
  const TensorArgument positions{nullptr, call.positions_rank, call.positions_dims};
  if (call.positions_rank == 2) {
    HEADWISE_RETURN_IF_ERROR(check_dims(positions, "positions", {batch, length}));
  } else if (call.positions_rank != 0) {
    HEADWISE_RETURN_IF_ERROR(check_dims(positions, "positions", {length}));
  }
  return headwise::validate(expanded_call(sizes_of(config_), batch, length, length, call.options),
                            shape);
}

Status LatentAttention::forward(const LatentAttentionCall& call,
                                const LatentAttentionResult& result) const {
  LatentAttentionRun run;
  HEADWISE_RETURN_IF_ERROR(run.begin(*this, call, result));
  return run.finish();
}

}  // namespace headwise
