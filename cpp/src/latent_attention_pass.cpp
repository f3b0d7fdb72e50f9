#include "latent_attention_pass.hpp"

#include <algorithm>
#include <vector>

#include "kernels/tile.hpp"

namespace headwise {

namespace {

// Heads start at a panel's edge, so that each can be computed alone.
constexpr std::int64_t padded(std::int64_t columns) {
  return (columns + kernels::kPanelColumns - 1) / kernels::kPanelColumns * kernels::kPanelColumns;
}

// A linear layer of `heads` parts [out, in] from matrices [heads, out, in], or [heads, in, out].
Status pack_heads(const float* matrices, std::int64_t heads, std::int64_t out, std::int64_t in,
                  bool transposed, Linear* linear) {
  HEADWISE_RETURN_IF_ERROR(linear->create(in, heads * padded(out), WeightType::kFloat32, false));
  std::vector<float> row(static_cast<std::size_t>(in));
  for (std::int64_t h = 0; h < heads; ++h) {
    const float* matrix = matrices + h * out * in;
    for (std::int64_t o = 0; o < out; ++o) {
      for (std::int64_t i = 0; i < in; ++i) {
        row[static_cast<std::size_t>(i)] = transposed ? matrix[i * out + o] : matrix[o * in + i];
      }
      linear->set_rows(h * padded(out) + o, 1, row.data());
    }
  }
  return {};
}

template <class T>
Tensor<T, 2> rows_of(const Tensor<T, 4>& x, std::int64_t b, std::int64_t h) {
  return {x.at(b, h), {x.dims[2], x.dims[3]}, {x.strides[2], x.strides[3]}};
}

template <class T>
Tensor<T, 2> rows_of(const Tensor<T, 3>& x, std::int64_t b) {
  return {x.at(b), {x.dims[1], x.dims[2]}, {x.strides[1], x.strides[2]}};
}

void copy_rows(const Tensor<const float, 2>& x, const Tensor<float, 2>& y) {
  for (std::int64_t i = 0; i < x.dims[0]; ++i) std::copy_n(x.at(i), x.dims[1], y.at(i));
}

// [B, S, H, D] contiguous, seen as [B, H, S, columns] from column `first` of each head on.
Tensor<float, 4> by_head(float* data, std::int64_t batch, std::int64_t length, std::int64_t heads,
                         std::int64_t width, std::int64_t first, std::int64_t columns) {
  return {data + first,
          {batch, heads, length, columns},
          {length * heads * width, width, heads * width, 1}};
}

}  // namespace

Status LatentWeights::create(const LatentAttentionSizes& sizes, const float* uk, const float* uv) {
  sizes_ = sizes;
  HEADWISE_RETURN_IF_ERROR(
      pack_heads(uk, sizes.heads, sizes.nope_dim, sizes.latent_dim, true, &key_up_));
  HEADWISE_RETURN_IF_ERROR(
      pack_heads(uk, sizes.heads, sizes.latent_dim, sizes.nope_dim, false, &query_absorb_));
  return pack_heads(uv, sizes.heads, sizes.value_head_dim, sizes.latent_dim, true, &value_up_);
}

AttentionCall expanded_call(const LatentAttentionSizes& s, std::int64_t batch,
                            std::int64_t query_length, std::int64_t kv_length,
                            const AttentionCall& options) {
  AttentionCall call = options;
  const std::int64_t head_dim = s.nope_dim + s.rope_dim;
  call.query = {nullptr, 4, {batch, s.heads, query_length, head_dim}};
  call.key = {nullptr, 4, {batch, s.heads, kv_length, head_dim}};
  call.value = {nullptr, 4, {batch, s.heads, kv_length, s.value_head_dim}};
  call.past_key = call.past_value = {};
  call.num_heads = call.kv_heads = std::nullopt;
  call.cache_length = std::nullopt;
  return call;
}

Status LatentAttentionPass::run(LatentForm form, const LatentAttentionResult& result) {
  AttentionProblem problem = resolve(call_, shape_, nullptr, nullptr);
  problem.scores_point = result.scores == nullptr ? ScoresPoint::kNone : result.scores_point;
  problem.scores = result.scores;
  problem.weights = result.weights;
  if (form == LatentForm::kExpanded) {
    HEADWISE_RETURN_IF_ERROR(expand(&problem));
    return attention(problem);
  }
  HEADWISE_RETURN_IF_ERROR(absorb(&problem));
  HEADWISE_RETURN_IF_ERROR(attention(problem));
  return raise_values();
}

// Keys and values of every head.
Status LatentAttentionPass::expand(AttentionProblem* problem) {
  const LatentAttentionSizes& s = weights_.sizes_;
  const std::int64_t batch = shape_.batch;
  const std::int64_t width = s.nope_dim + s.rope_dim;
  const std::int64_t queries = shape_.query_length;
  const std::int64_t keys = shape_.kv_length;
  HEADWISE_RETURN_IF_ERROR(query_.allocate(batch * queries * s.heads * width, "queries"));
  HEADWISE_RETURN_IF_ERROR(key_.allocate(batch * keys * s.heads * width, "expanded keys"));
  HEADWISE_RETURN_IF_ERROR(
      value_.allocate(batch * keys * s.heads * s.value_head_dim, "expanded values"));
  const auto view = [&](float* data, std::int64_t length, std::int64_t first,
                        std::int64_t columns) {
    return by_head(data, batch, length, s.heads, width, first, columns);
  };
  const Tensor<float, 4> value =
      by_head(value_.data(), batch, keys, s.heads, s.value_head_dim, 0, s.value_head_dim);
  for (std::int64_t b = 0; b < batch; ++b) {
    const Tensor<const float, 2> latent = rows_of(views_.latent, b);
    for (std::int64_t h = 0; h < s.heads; ++h) {
      copy_rows(rows_of(views_.query_nope, b, h),
                rows_of(view(query_.data(), queries, 0, s.nope_dim), b, h));
      copy_rows(rows_of(views_.query_rope, b, h),
                rows_of(view(query_.data(), queries, s.nope_dim, s.rope_dim), b, h));
      HEADWISE_RETURN_IF_ERROR(weights_.key_up_.forward(
          latent, rows_of(view(key_.data(), keys, 0, s.nope_dim), b, h),
          {.first_output = h * padded(s.nope_dim), .outputs = s.nope_dim}));
      copy_rows(rows_of(views_.key_rope, b),
                rows_of(view(key_.data(), keys, s.nope_dim, s.rope_dim), b, h));
      HEADWISE_RETURN_IF_ERROR(weights_.value_up_.forward(
          latent, rows_of(value, b, h),
          {.first_output = h * padded(s.value_head_dim), .outputs = s.value_head_dim}));
    }
  }
  problem->query = view(query_.data(), queries, 0, width);
  problem->key = view(key_.data(), keys, 0, width);
  problem->value = value;
  problem->output = views_.output;
  return {};
}

// Queries in the space of the latents, which all heads then share as keys and as values.
Status LatentAttentionPass::absorb(AttentionProblem* problem) {
  const LatentAttentionSizes& s = weights_.sizes_;
  const std::int64_t batch = shape_.batch;
  const std::int64_t width = s.latent_dim + s.rope_dim;
  const std::int64_t queries = shape_.query_length;
  const std::int64_t keys = shape_.kv_length;
  HEADWISE_RETURN_IF_ERROR(query_.allocate(batch * queries * s.heads * width, "queries"));
  HEADWISE_RETURN_IF_ERROR(key_.allocate(batch * keys * width, "latents"));
  HEADWISE_RETURN_IF_ERROR(sums_.allocate(batch * queries * s.heads * s.latent_dim, "latent sums"));
  const auto query = [&](std::int64_t first, std::int64_t columns) {
    return by_head(query_.data(), batch, queries, s.heads, width, first, columns);
  };
  const auto key = [&](std::int64_t first, std::int64_t columns) {
    return by_head(key_.data(), batch, keys, 1, width, first, columns);
  };
  for (std::int64_t b = 0; b < batch; ++b) {
    copy_rows(rows_of(views_.latent, b), rows_of(key(0, s.latent_dim), b, 0));
    copy_rows(rows_of(views_.key_rope, b), rows_of(key(s.latent_dim, s.rope_dim), b, 0));
    for (std::int64_t h = 0; h < s.heads; ++h) {
      HEADWISE_RETURN_IF_ERROR(weights_.query_absorb_.forward(
          rows_of(views_.query_nope, b, h), rows_of(query(0, s.latent_dim), b, h),
          {.first_output = h * padded(s.latent_dim), .outputs = s.latent_dim}));
      copy_rows(rows_of(views_.query_rope, b, h), rows_of(query(s.latent_dim, s.rope_dim), b, h));
    }
  }
  problem->query = query(0, width);
  problem->key = key(0, width);
  problem->value = key(0, s.latent_dim);
  problem->output = by_head(sums_.data(), batch, queries, s.heads, s.latent_dim, 0, s.latent_dim);
  return {};
}

// The weighted sums of latents, through uv.
Status LatentAttentionPass::raise_values() {
  const LatentAttentionSizes& s = weights_.sizes_;
  const Tensor<const float, 4> sums = by_head(sums_.data(), shape_.batch, shape_.query_length,
                                              s.heads, s.latent_dim, 0, s.latent_dim);
  for (std::int64_t b = 0; b < shape_.batch; ++b) {
    for (std::int64_t h = 0; h < s.heads; ++h) {
      HEADWISE_RETURN_IF_ERROR(weights_.value_up_.forward(
          rows_of(sums, b, h), rows_of(views_.output, b, h),
          {.first_output = h * padded(s.value_head_dim), .outputs = s.value_head_dim}));
    }
  }
  return {};
}

}  // namespace headwise
