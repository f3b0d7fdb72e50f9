// What enters the first block: rows of tables, or patches of an image, with their positions.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "headwise/transformer_run.hpp"
#include "power.hpp"
#include "sine_cosine.hpp"
#include "transformer_rows.hpp"

namespace headwise {

namespace {

// Sines of columns [0, half) and cosines of the others, angles position / 10000^(2c / width).
void sinusoid(std::int64_t position, std::int64_t width, float* row) {
  const std::int64_t half = (width + 1) / 2;
  for (std::int64_t c = 0; c < half; ++c) {
    const double angle = static_cast<double>(position) *
                         power(10000.0, -2.0 * static_cast<double>(c) / static_cast<double>(width));
    const auto [sine, cosine] = sine_cosine(angle);
    row[c] = static_cast<float>(sine);
    if (half + c < width) row[half + c] = static_cast<float>(cosine);
  }
}

// T5's bucket of a distance (key's position minus query's): single distances first, then ever wider
// buckets up to max_distance. A causal stack knows no keys ahead; else one half is for them. In
// float32, as the checkpoints were trained.
std::int64_t bucket_of(std::int64_t distance, bool causal, std::int64_t buckets,
                       std::int64_t max_distance) {
  std::int64_t first = 0;
  if (!causal) {
    buckets /= 2;
    if (distance > 0) first = buckets;
  }
  const std::int64_t size = causal ? std::max<std::int64_t>(-distance, 0) : std::abs(distance);
  const std::int64_t exact = buckets / 2;
  if (size < exact) return first + size;
  const float share =
      std::log(static_cast<float>(size) / static_cast<float>(exact)) /
      static_cast<float>(std::log(static_cast<double>(max_distance) / static_cast<double>(exact)));
  const auto wide = static_cast<std::int64_t>(share * static_cast<float>(buckets - exact));
  return first + std::min(exact + wide, buckets - 1);
}

}  // namespace

Status TransformerRun::embed(const Stack& stack) {
  const std::int64_t width = config().embedding_width();
  const std::int64_t d_model = config().d_model;
  float* target = width == d_model ? stream_.data() : scratch_.data();
  std::fill_n(target, rows() * width, 0.0F);
  if (config().kind == TransformerKind::kVision) {
    HEADWISE_RETURN_IF_ERROR(embed_image(stack, target));
  } else {
    embed_tokens(stack, target);
  }
  if (config().embedding_norm) {
    normalize(stack.embed_ln, stack.embed_norm_hooks, rows_of(target, rows(), width), target,
              sequence().length);
  }
  if (width != d_model) {
    HEADWISE_RETURN_IF_ERROR(transformer_->embed_project_.forward(
        rows_of(target, rows(), width), rows_of(stream_.data(), rows(), d_model)));
  }
  const bool encoder = config().kind == TransformerKind::kEncoder;
  keep_stream(encoder ? "" : stack.embed_hooks, "hook_full_embed");
  return fill_distance_bias(stack);
}

void TransformerRun::embed_tokens(const Stack& stack, float* target) {
  const std::string& prefix = stack.embed_hooks;
  add_rows(transformer_->token_, sequence().ids.data(),
           static_cast<float>(config().embedding_scale), prefix, "hook_embed", target);
  add_positions(stack, target);
  if (config().token_types == 0) return;
  add_rows(transformer_->token_type_, type_ids_.data(), 1.0F, prefix, "hook_token_type_embed",
           target);
}

// Adds rows of the table; what is added is kept under the name.
void TransformerRun::add_rows(const EmbeddingTable& table, const std::int32_t* ids, float scale,
                              const std::string& prefix, const char* name, float* target) {
  const std::int64_t width = table.width();
  float* kept = keep(prefix, name, {batch_, sequence().length, width});
  float* found = kept != nullptr ? kept : normed_.data();
  table.lookup(ids, rows(), rows_of(found, rows(), width));
  if (scale != 1.0F) {
    std::for_each(found, found + rows() * width, [scale](float& value) { value *= scale; });
  }
  add(found, rows() * width, target);
}

void TransformerRun::add_positions(const Stack& stack, float* target) {
  const std::int64_t length = sequence().length;
  const std::int64_t first = sequence().past;
  const char* name = "hook_pos_embed";
  if (config().positions == PositionKind::kLearned) {
    const auto offset = static_cast<std::int32_t>(config().position_offset + first);
    std::vector<std::int32_t> positions(static_cast<std::size_t>(rows()));
    for (std::size_t i = 0; i < positions.size(); ++i) {
      positions[i] = offset + static_cast<std::int32_t>(static_cast<std::int64_t>(i) % length);
    }
    add_rows(stack.position, positions.data(), 1.0F, stack.embed_hooks, name, target);
    return;
  }
  if (config().positions != PositionKind::kSinusoidal) return;
  const std::int64_t width = config().embedding_width();
  for (std::int64_t i = 0; i < rows(); ++i) {
    sinusoid(first + i % length, width, normed_.data() + i * width);
  }
  add(normed_.data(), rows() * width, target);
  keep_copy(stack.embed_hooks, name, {batch_, length, width}, normed_.data());
}

namespace {

// The patches of [channels, size, size] as rows [patches, channels * patch^2].
void unfold(const ImageConfig& image, const float* pixels, float* rows) {
  const std::int64_t side = image.size / image.patch;
  for (std::int64_t patch = 0; patch < image.patches(); ++patch) {
    for (std::int64_t line = 0; line < image.channels * image.patch; ++line) {
      const std::int64_t channel = line / image.patch;
      const std::int64_t y = patch / side * image.patch + line % image.patch;
      const std::int64_t x = patch % side * image.patch;
      rows = std::copy_n(pixels + (channel * image.size + y) * image.size + x, image.patch, rows);
    }
  }
}

}  // namespace

// The class tokens, then a row for each patch, to `target`, which is all zeros; and positions.
Status TransformerRun::embed_image(const Stack& stack, float* target) {
  const ImageConfig& image = config().image;
  const std::int64_t d_model = config().d_model;
  const std::int64_t patches = image.patches();
  std::vector<std::int32_t> classes(static_cast<std::size_t>(image.class_tokens));
  std::iota(classes.begin(), classes.end(), 0);
  Buffer<float> unfolded;
  HEADWISE_RETURN_IF_ERROR(unfolded.allocate(patches * image.patch_values(), "image"));
  float* kept = keep(stack.embed_hooks, "hook_embed", {batch_, patches, d_model});
  for (std::int64_t b = 0; b < batch_; ++b) {
    float* row = target + b * sequence().length * d_model;
    transformer_->class_.lookup(classes.data(), image.class_tokens,
                                rows_of(row, image.class_tokens, d_model));
    row += image.class_tokens * d_model;
    unfold(image, pixels_.data() + b * image.channels * image.size * image.size, unfolded.data());
    HEADWISE_RETURN_IF_ERROR(transformer_->patch_.forward(
        rows_of(unfolded.data(), patches, image.patch_values()), rows_of(row, patches, d_model)));
    if (kept != nullptr) std::copy_n(row, patches * d_model, kept + b * patches * d_model);
  }
  add_positions(stack, target);
  return {};
}

Status TransformerRun::fill_distance_bias(const Stack& stack) {
  if (config().positions != PositionKind::kRelative) return {};
  Sequence& queries = sequence();
  const std::int64_t heads = config().num_heads;
  const std::int64_t band = queries.past + 2 * queries.length - 1;
  HEADWISE_RETURN_IF_ERROR(queries.distance_bias.reserve(heads * band, "relative positions"));
  for (std::int64_t entry = 0; entry < band; ++entry) {
    const std::int64_t distance = entry - (queries.length - 1) - queries.past;
    const std::int64_t bucket = bucket_of(distance, stack.causal, config().relative_buckets,
                                          config().relative_max_distance);
    for (std::int64_t h = 0; h < heads; ++h) {
      queries.distance_bias[h * band + entry] = stack.relative_bias[bucket * heads + h];
    }
  }
  return {};
}

}  // namespace headwise
