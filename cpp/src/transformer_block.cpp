// A block: attention to its own sequence, in a decoder with an encoder attention to that, and the
// feed-forward layer, each with its norm after, before, or on both sides.
#include <algorithm>

#include "head_layout.hpp"
#include "headwise/transformer_run.hpp"
#include "text.hpp"
#include "transformer_rows.hpp"

namespace headwise {

Status TransformerRun::run_block(const Stack& stack, std::int64_t index, bool pattern_only) {
  const Block& block = stack.blocks[static_cast<std::size_t>(index)];
  const std::string prefix = stack.block_hooks + text(index) + ".";
  const bool post = config().norm_placement == NormPlacement::kPost;
  keep_stream(prefix, "hook_resid_pre");
  const AttentionPlace own = {&block.attention, prefix, "attn.", index, false};
  HEADWISE_RETURN_IF_ERROR(add_attention(own, block.ln1, block.ln1_post, "ln1", pattern_only));
  if (pattern_only) return {};
  if (stack.cross) {
    const AttentionPlace cross = {&block.cross_attention, prefix, "cross_attn.", index, true};
    HEADWISE_RETURN_IF_ERROR(add_attention(cross, block.ln2, {}, "ln2", false));
  }
  const std::string norm_prefix = prefix + (stack.cross ? "ln3." : "ln2.");
  const Transformer::Norm& norm = stack.cross ? block.ln3 : block.ln2;
  const std::int64_t length = sequence().length;
  const Tensor<float, 2> stream = rows_of(stream_.data(), rows(), config().d_model);
  float* input = post ? stream_.data() : normed_.data();
  if (!post) normalize(norm, norm_prefix, stream, input, length);
  HEADWISE_RETURN_IF_ERROR(add_feed_forward(block, prefix, input));
  keep_stream(prefix, "hook_resid_post");
  if (!post) return {};
  normalize(norm, norm_prefix, stream, stream_.data(), length);
  keep_stream(prefix, "hook_normalized_resid_post");
  return {};
}

// Adds what attention makes of the stream to it, with the norms of the placement.
Status TransformerRun::add_attention(const AttentionPlace& place, const Transformer::Norm& norm,
                                     const Transformer::Norm& post_norm,
                                     const std::string& norm_name, bool pattern_only) {
  const NormPlacement placement = config().norm_placement;
  const std::int64_t length = sequence().length;
  const std::int64_t d_model = config().d_model;
  const std::string prefix = place.block + norm_name;
  const Tensor<float, 2> stream = rows_of(stream_.data(), rows(), d_model);
  const float* input = stream_.data();
  if (placement != NormPlacement::kPost) {
    normalize(norm, prefix + ".", stream, normed_.data(), length);
    input = normed_.data();
  }
  if (pattern_only) return attend(place, input, nullptr);
  float* kept = keep(place.block, place.cross ? "hook_cross_attn_out" : "hook_attn_out",
                     {batch_, length, d_model});
  float* added = kept != nullptr ? kept : scratch_.data();
  HEADWISE_RETURN_IF_ERROR(attend(place, input, added));
  if (placement == NormPlacement::kSandwich) {
    normalize(post_norm, prefix + "_post.", rows_of(added, rows(), d_model), added, length);
  }
  add(added, rows() * d_model, stream_.data());
  keep_stream(place.block, place.cross ? "hook_resid_mid_cross" : "hook_resid_mid");
  if (placement == NormPlacement::kPost) {
    normalize(norm, prefix + ".", stream, stream_.data(), length);
  }
  return {};
}

void TransformerRun::set_options(const AttentionPlace& place, MultiHeadAttentionCall* call) {
  const TransformerConfig& c = config();
  AttentionCall& options = call->options;
  options.scale = c.attention_scale;
  options.softcap = c.attention_softcap;
  DecodingCache* cache = options_.cache;
  const std::uint8_t* mask = key_mask_.data();
  if (place.cross) {
    const std::int64_t fresh = cache != nullptr && first_stage_ > 0 ? 0 : sequences_[0].length;
    call->key = call->value = {encoded_.data(), 3, {batch_, fresh, c.d_model}};
    if (cache != nullptr) {
      call->cache = &cache->encoder_[static_cast<std::size_t>(place.index)];
      mask = cache->encoder_mask_.data();
    }
  } else {
    options.causal = transformer_->stacks_[stack_].causal;
    if (c.has_window(place.index)) options.window_left = c.window - 1;
    if (c.positions == PositionKind::kRelative)
      call->distance_bias = sequence().distance_bias.data();
    if (stack_ > 0) mask = decoder_key_mask_.data();
    if (options.causal && cache != nullptr) {
      call->cache = &cache->own_[static_cast<std::size_t>(place.index)];
    }
    if (stack_ == 0 && cache != nullptr && last_stack().cross) mask = cache->encoder_mask_.data();
  }
  if (mask == nullptr) return;
  options.key_mask = mask;
  options.key_mask_rank = 2;
  const std::int64_t keys = place.cross ? sequences_[0].length : sequence().length;
  options.key_mask_dims = {
      batch_, place.cross && call->cache != nullptr ? call->cache->sizes().capacity : keys};
}

void TransformerRun::intervene(const std::string& name, const Tensor<float, 4>& z) const {
  for (const Intervention& intervention : options_.interventions) {
    if (!matches_pattern(intervention.name, name)) continue;
    apply(intervention, z, (stack_ == 0 ? key_mask_ : decoder_key_mask_).data());
  }
}

// The attention layer on `input`; null output = only up to the pattern.
Status TransformerRun::attend(const AttentionPlace& place, const float* input, float* output) {
  const std::int64_t heads = config().num_heads;
  const std::int64_t head_dim = config().head_size();
  const std::int64_t length = sequence().length;
  const std::string prefix = place.block + place.name;
  const std::string z_name = prefix + "hook_z";
  MultiHeadAttentionCall call;
  call.query = {input, 3, {batch_, length, config().d_model}};
  set_options(place, &call);
  const std::int64_t fresh = place.cross ? call.key.dims[1] : length;
  const std::int64_t past = call.cache != nullptr ? call.cache->length() : 0;
  MultiHeadAttentionResult result;
  const std::int64_t d_model = config().d_model;
  const Dims split = {batch_, length, heads, head_dim};
  const Dims key_split = {batch_, fresh, config().heads_for_keys(), head_dim};
  const Dims square = {batch_, heads, length, past + fresh};
  result.q = keep(prefix, "hook_q", split);
  result.k = keep(prefix, "hook_k", key_split);
  result.v = keep(prefix, "hook_v", key_split);
  result.rotated_q = keep(prefix, "hook_rot_q", split);
  result.rotated_k = keep(prefix, "hook_rot_k", key_split);
  result.scores = keep(prefix, "hook_attn_scores", square);
  result.scores_point = ScoresPoint::kBiased;
  result.weights = keep(prefix, "hook_pattern", square);
  float* shares = nullptr;
  Buffer<float> heads_first;
  if (output != nullptr) {
    result.z = keep(prefix, "hook_z", split);
    shares = keep(prefix, "hook_result", {batch_, length, heads, d_model});
    result.output = output;
    if (shares != nullptr) {
      HEADWISE_RETURN_IF_ERROR(
          heads_first.allocate(rows() * heads * config().d_model, "hook_result"));
      result.heads = heads_first.data();
    }
    if (!options_.interventions.empty()) {
      result.edit_z = [&](const Tensor<float, 4>& z) { intervene(z_name, z); };
    }
  }
  HEADWISE_RETURN_IF_ERROR(attention_.begin(*place.layer, call, result));
  HEADWISE_RETURN_IF_ERROR(attention_.finish());
  if (shares == nullptr) return {};
  copy_by_position(
      Tensor<float, 4>::contiguous(heads_first.data(), {batch_, heads, length, config().d_model}),
      shares);
  return {};
}

namespace {

// Rows `first` on of what is kept, or the buffer's.
float* rows_at(float* kept, float* buffer, std::int64_t first, std::int64_t width) {
  return kept != nullptr ? kept + first * width : buffer;
}

}  // namespace

// Adds mlp(input) to the stream; the input may be the stream.
Status TransformerRun::add_feed_forward(const Block& block, const std::string& prefix,
                                        float* input) {
  const std::int64_t d_mlp = config().d_mlp;
  const std::int64_t d_model = config().d_model;
  const std::int64_t length = sequence().length;
  const bool gated = config().gated_mlp;
  const bool sandwich = config().norm_placement == NormPlacement::kSandwich;
  const Dims dims = {batch_, length, d_mlp};
  float* pre = keep(prefix, "mlp.hook_pre", dims);
  float* linear = keep(prefix, "mlp.hook_pre_linear", dims);
  float* post = keep(prefix, "mlp.hook_post", dims);
  float* out = keep(prefix, "hook_mlp_out", {batch_, length, d_model});
  if (sandwich && out == nullptr) out = scratch_.data();
  const Linear& activated = gated ? block.mlp_gate : block.mlp_in;
  for (std::int64_t first = 0; first < rows(); first += kHiddenRows) {
    const std::int64_t count = std::min(kHiddenRows, rows() - first);
    const std::int64_t values = count * d_mlp;
    const Tensor<float, 2> x = rows_of(input + first * d_model, count, d_model);
    const Tensor<float, 2> stream = rows_of(stream_.data() + first * d_model, count, d_model);
    float* hidden = rows_at(post, hidden_.data(), first, d_mlp);
    if (pre != nullptr) {
      float* before = pre + first * d_mlp;
      HEADWISE_RETURN_IF_ERROR(activated.forward(x, rows_of(before, count, d_mlp)));
      apply_activation(config().activation, before, hidden, values);
    } else {
      HEADWISE_RETURN_IF_ERROR(
          activated.forward(x, rows_of(hidden, count, d_mlp), {.activation = config().activation}));
    }
    if (gated) {
      float* factor = rows_at(linear, gate_.data(), first, d_mlp);
      HEADWISE_RETURN_IF_ERROR(block.mlp_in.forward(x, rows_of(factor, count, d_mlp)));
      multiply(factor, values, hidden);
    }
    const Tensor<float, 2> y = rows_of(hidden, count, d_mlp);
    if (out == nullptr) {
      HEADWISE_RETURN_IF_ERROR(block.mlp_out.forward(y, stream, {.accumulate = true}));
      continue;
    }
    const Tensor<float, 2> target = rows_of(out + first * d_model, count, d_model);
    HEADWISE_RETURN_IF_ERROR(block.mlp_out.forward(y, target));
    if (!sandwich) add(target.data, count * d_model, stream.data);
  }
  if (!sandwich) return {};
  normalize(block.ln2_post, prefix + "ln2_post.", rows_of(out, rows(), d_model), out, length);
  add(out, rows() * d_model, stream_.data());
  return {};
}

}  // namespace headwise
