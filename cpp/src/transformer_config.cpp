#include "headwise/transformer_config.hpp"

#include <cmath>

#include "text.hpp"

namespace headwise {

namespace {

constexpr std::int64_t kMostLayers = 4096;
constexpr std::int64_t kMostColumns = std::int64_t{1} << 20;
constexpr std::int64_t kMostRows = std::int64_t{1} << 24;

Status check_size(const char* name, std::int64_t size, std::int64_t least, std::int64_t most) {
  if (size >= least && size <= most) return {};
  return Status::invalid(name, "an integer from " + text(least) + " to " + text(most), text(size));
}

// Positive and finite, or 0 where that stands for "off".
Status check_number(const char* name, double number, bool zero) {
  const bool fits = std::isfinite(static_cast<float>(number)) && number >= 0.0;
  if (fits && (zero || number > 0.0)) return {};
  return Status::invalid(name, zero ? "a finite number of 0 or more" : "a finite number above 0",
                         text(number));
}

Status check_positions(const TransformerConfig& config) {
  const bool learned = config.positions == PositionKind::kLearned;
  const bool vision = config.kind == TransformerKind::kVision;
  HEADWISE_RETURN_IF_ERROR(
      check_size("maxPositions", config.max_positions, learned && !vision ? 1 : 0, kMostRows));
  HEADWISE_RETURN_IF_ERROR(check_size("positionOffset", config.position_offset, 0, kMostRows));
  if (config.positions == PositionKind::kRotary) {
    return validate(config.rotary, config.head_size());
  }
  if (config.positions != PositionKind::kRelative) return {};
  HEADWISE_RETURN_IF_ERROR(
      check_size("relative.buckets", config.relative_buckets, 4, kMostColumns));
  // Half of the buckets (of either direction) are single distances; the others reach beyond them.
  return check_size("relative.maxDistance", config.relative_max_distance,
                    config.relative_buckets / 2 + 1, kMostRows);
}

Status check_image(const TransformerConfig& config) {
  const ImageConfig& image = config.image;
  HEADWISE_RETURN_IF_ERROR(check_size("image.size", image.size, 1, 1 << 14));
  HEADWISE_RETURN_IF_ERROR(check_size("image.patch", image.patch, 1, image.size));
  HEADWISE_RETURN_IF_ERROR(check_size("image.channels", image.channels, 1, 1024));
  HEADWISE_RETURN_IF_ERROR(check_size("image.classTokens", image.class_tokens, 1, 1024));
  if (image.size % image.patch == 0) return {};
  return Status::invalid("image.patch", "a divisor of image.size = " + text(image.size),
                         text(image.patch));
}

Status check_head(const TransformerConfig& config) {
  const bool vision = config.kind == TransformerKind::kVision;
  const HeadKind head = config.head;
  const bool fits = head == HeadKind::kNone ||
                    (vision ? head == HeadKind::kClassifier : head != HeadKind::kClassifier);
  if (!fits) {
    return Status::unsupported("head", "a classifier for images, logits of tokens for text",
                               "the other one");
  }
  HEADWISE_RETURN_IF_ERROR(
      check_size("labels", config.labels, head == HeadKind::kClassifier ? 1 : 0, kMostRows));
  const bool narrow = config.embedding_width() != config.d_model;
  if (head == HeadKind::kLanguageModel && config.tied_head && narrow) {
    return Status::invalid("dEmbedding", "dModel = " + text(config.d_model) + ", for a tied head",
                           text(config.d_embedding));
  }
  return {};
}

}  // namespace

MultiHeadAttentionConfig attention_config(const TransformerConfig& config, bool cross) {
  MultiHeadAttentionConfig attention{.d_model = config.d_model, .num_heads = config.num_heads};
  if (config.kv_heads > 0) attention.kv_heads = config.kv_heads;
  if (config.head_dim > 0) attention.head_dim = config.head_dim;
  attention.query_bias = attention.key_bias = attention.value_bias = config.attention_bias;
  attention.output_bias = config.output_bias;
  if (config.positions == PositionKind::kRotary && !cross) attention.rotary = config.rotary;
  return attention;
}

Status validate(const TransformerConfig& config) {
  const bool vision = config.kind == TransformerKind::kVision;
  const bool two_stacks = config.kind == TransformerKind::kEncoderDecoder;
  HEADWISE_RETURN_IF_ERROR(check_size("numLayers", config.num_layers, 1, kMostLayers));
  HEADWISE_RETURN_IF_ERROR(check_size("decoderLayers", config.decoder_layers, two_stacks ? 1 : 0,
                                      two_stacks ? kMostLayers : 0));
  HEADWISE_RETURN_IF_ERROR(check_size("dModel", config.d_model, 1, kMostColumns));
  HEADWISE_RETURN_IF_ERROR(check_size("dMlp", config.d_mlp, 1, kMostColumns));
  HEADWISE_RETURN_IF_ERROR(check_size("dEmbedding", config.d_embedding, 0, kMostColumns));
  HEADWISE_RETURN_IF_ERROR(check_size("kvHeads", config.kv_heads, 0, kMostColumns));
  HEADWISE_RETURN_IF_ERROR(check_size("headDim", config.head_dim, 0, kMostColumns));
  HEADWISE_RETURN_IF_ERROR(check_size("vocabulary", config.vocabulary, vision ? 0 : 1, kMostRows));
  HEADWISE_RETURN_IF_ERROR(check_size("tokenTypes", config.token_types, 0, kMostRows));
  HEADWISE_RETURN_IF_ERROR(check_number("normEpsilon", config.norm_epsilon, true));
  MultiHeadAttentionConfig attention = attention_config(config, true);
  MultiHeadAttentionShape shape;
  HEADWISE_RETURN_IF_ERROR(validate(attention, &shape));
  HEADWISE_RETURN_IF_ERROR(check_positions(config));
  if (config.attention_scale.has_value()) {
    HEADWISE_RETURN_IF_ERROR(check_number("attentionScale", *config.attention_scale, false));
  }
  HEADWISE_RETURN_IF_ERROR(check_number("attentionSoftcap", config.attention_softcap, true));
  HEADWISE_RETURN_IF_ERROR(check_number("logitSoftcap", config.logit_softcap, true));
  HEADWISE_RETURN_IF_ERROR(check_number("embeddingScale", config.embedding_scale, false));
  HEADWISE_RETURN_IF_ERROR(check_number("logitScale", config.logit_scale, false));
  HEADWISE_RETURN_IF_ERROR(check_size("window", config.window, 0, kMostRows));
  if (config.window > 0 && config.kind != TransformerKind::kDecoder) {
    return Status::unsupported("window", "0: only a decoder has a window", text(config.window));
  }
  HEADWISE_RETURN_IF_ERROR(check_size("globalEvery", config.global_every, 0, kMostLayers));
  if (vision) HEADWISE_RETURN_IF_ERROR(check_image(config));
  return check_head(config);
}

}  // namespace headwise
