// One forward pass: what it is given, which parts run, and what of them is kept. The parts are
// transformer_embedding.cpp, transformer_block.cpp and transformer_head.cpp; what a caller changes
// on the way stands in transformer_interventions.cpp.
#include "headwise/transformer_run.hpp"

#include <algorithm>
#include <cstddef>

#include "text.hpp"
#include "transformer_rows.hpp"

namespace headwise {

Status TransformerRun::begin(const Transformer& transformer, const TransformerInput& input,
                             const RunOptions& options) {
  transformer_ = &transformer;
  options_ = options;
  batch_ = input.batch;
  stack_ = 0;
  next_step_ = 0;
  next_head_row_ = 0;
  failed_ = true;  // until everything is judged
  cache_.clear();
  refused_ = {};
  HEADWISE_RETURN_IF_ERROR(check_cache(input));
  HEADWISE_RETURN_IF_ERROR(copy_inputs(input));
  HEADWISE_RETURN_IF_ERROR(plan_stages());
  HEADWISE_RETURN_IF_ERROR(check_parameters());
  HEADWISE_RETURN_IF_ERROR(take_interventions());
  HEADWISE_RETURN_IF_ERROR(take_buffers());
  HEADWISE_RETURN_IF_ERROR(std::move(refused_));
  HEADWISE_RETURN_IF_ERROR(take_encoder_cache());
  failed_ = false;
  return {};
}

// --- What it is given -------------------------------------------------------------------------

Status TransformerRun::check_cache(const TransformerInput& input) const {
  const DecodingCache* cache = options_.cache;
  if (cache == nullptr) return {};
  if (cache->own_.size() != last_stack().blocks.size() || cache->batch_ != batch_) {
    return Status::invalid("cache", "a cache made for this model and a batch of " + text(batch_),
                           "another one");
  }
  if (input.decoder_key_mask != nullptr) {
    return Status::invalid("decoderKeyMask", "nothing: every cached position is seen",
                           "decoderKeyMask and cache");
  }
  if (!last_stack().cross) {
    if (input.key_mask == nullptr) return {};
    return Status::invalid("keyMask", "nothing: every cached position is seen",
                           "keyMask and cache");
  }
  const bool encoded = !cache->encoder_.empty();
  if (encoded != (input.ids != nullptr)) return {};
  return Status::invalid("ids",
                         encoded ? "nothing: the cache has what the encoder made of them"
                                 : "those of the encoder, since the cache is new",
                         encoded ? "ids" : "nothing");
}

Status TransformerRun::copy_inputs(const TransformerInput& input) {
  const bool two_stacks = config().kind == TransformerKind::kEncoderDecoder;
  const std::int64_t past = options_.cache == nullptr ? 0 : options_.cache->length();
  key_mask_.reset();
  decoder_key_mask_.reset();
  if (batch_ < 1) return Status::invalid("ids", "at least one sequence", text(batch_));
  if (two_stacks) {
    HEADWISE_RETURN_IF_ERROR(
        copy_ids(input.decoder_ids, input.decoder_length, past, "decoderIds", &sequences_[1]));
    HEADWISE_RETURN_IF_ERROR(copy_mask(input.decoder_key_mask, batch_ * input.decoder_length,
                                       "decoderKeyMask", &decoder_key_mask_));
    // The cache has what came of them, or the caller.
    const bool known = options_.cache != nullptr || options_.encoded != nullptr;
    if (input.ids == nullptr && known) return {};
  }
  if (config().kind == TransformerKind::kVision) {
    const ImageConfig& image = config().image;
    const std::int64_t values = batch_ * image.channels * image.size * image.size;
    if (input.pixels == nullptr) return Status::invalid("image", "pixels", "nothing");
    HEADWISE_RETURN_IF_ERROR(pixels_.reserve(values, "image"));
    std::copy_n(input.pixels, values, pixels_.data());
    sequences_[0].length = image.class_tokens + image.patches();
    sequences_[0].past = 0;
    return {};
  }
  HEADWISE_RETURN_IF_ERROR(
      copy_ids(input.ids, input.length, two_stacks ? 0 : past, "ids", &sequences_[0]));
  HEADWISE_RETURN_IF_ERROR(copy_type_ids(input.type_ids));
  return copy_mask(input.key_mask, batch_ * input.length, "keyMask", &key_mask_);
}

Status TransformerRun::copy_mask(const std::uint8_t* mask, std::int64_t count, const char* argument,
                                 Buffer<std::uint8_t>* copy) {
  if (mask == nullptr) return {};
  HEADWISE_RETURN_IF_ERROR(copy->allocate(count, argument));
  std::copy_n(mask, count, copy->data());
  return {};
}

Status TransformerRun::copy_ids(const std::int32_t* ids, std::int64_t length, std::int64_t past,
                                const char* argument, Sequence* sequence) {
  const std::int64_t most = config().max_positions;
  if (ids == nullptr || length < 1 || (most > 0 && past + length > most)) {
    const std::string limit = most > 0 ? "1 to " + text(most) : "1 or more";
    return Status::invalid(
        argument, "at least one sequence of " + limit + " tokens",
        ids == nullptr ? "nothing" : text(batch_) + " of " + text(past + length));
  }
  const std::int64_t count = batch_ * length;
  HEADWISE_RETURN_IF_ERROR(sequence->ids.reserve(count, argument));
  std::copy_n(ids, count, sequence->ids.data());
  sequence->length = length;
  sequence->past = past;
  return transformer_->token_.check(ids, count, argument);
}

Status TransformerRun::copy_type_ids(const std::int32_t* type_ids) {
  const std::int64_t count = batch_ * sequences_[0].length;
  if (config().token_types == 0) {
    if (type_ids == nullptr) return {};
    const std::int32_t* given =
        std::find_if(type_ids, type_ids + count, [](std::int32_t id) { return id != 0; });
    if (given == type_ids + count) return {};
    return Status::invalid("typeIds", "zeros: the model has no token types",
                           text(std::int64_t{*given}));
  }
  HEADWISE_RETURN_IF_ERROR(type_ids_.reserve(count, "typeIds"));
  if (type_ids == nullptr) {
    std::fill_n(type_ids_.data(), count, 0);
  } else {
    std::copy_n(type_ids, count, type_ids_.data());
  }
  return transformer_->token_type_.check(type_ids_.data(), count, "typeIds");
}

// --- Which parts run --------------------------------------------------------------------------

// The stages from first_stage_ to last_stage_: those that the output needs, or else the last wanted
// name.
Status TransformerRun::plan_stages() {
  const std::vector<Transformer::Stage>& stages = transformer_->stages_;
  const std::int64_t stop = options_.stop_at_layer;
  const bool whole = last_stack().cross && options_.cache != nullptr;
  const std::int64_t most = whole ? -1 : transformer_->block_count();
  if (stop < -1 || stop > most) {
    return Status::invalid("stopAtLayer",
                           whole ? "nothing: with a cache an encoder-decoder runs whole"
                                 : "a layer from 0 to " + text(most),
                           text(stop));
  }
  const bool head = stages.back().kind == StageKind::kHead;
  if (options_.output == RunOutput::kLast && !head) {
    return Status::unsupported("model", "a model with a head that gives logits", "one without");
  }
  first_stage_ = 0;
  if (options_.cache != nullptr && !options_.cache->encoder_.empty()) {
    while (stages[first_stage_].stack == 0) ++first_stage_;
  }
  std::size_t end = stop < 0 ? stages.size() : transformer_->stage_of(stop);
  HEADWISE_RETURN_IF_ERROR(plan_start(stop < 0 ? transformer_->block_count() : stop));

  known_.clear();
  std::vector<std::size_t> ends;  // of each stage's names
  for (std::size_t i = 0; i < end; ++i) {
    if (i >= first_stage_ && (!options_.names.empty() || options_.output == RunOutput::kNone)) {
      transformer_->append_names(stages[i], &known_);
    }
    ends.push_back(known_.size());
  }
  HEADWISE_RETURN_IF_ERROR(select_names(options_.names, known_, "names", &wanted_));
  const auto last = std::find(wanted_.rbegin(), wanted_.rend(), true);
  const auto needed = static_cast<std::size_t>(wanted_.rend() - last);  // names
  keeps_ = needed > 0;
  const auto wanted_end =
      static_cast<std::size_t>(std::ranges::lower_bound(ends, needed) - ends.begin() + 1);
  pattern_stage_ = false;
  if (options_.output == RunOutput::kNone) {
    end = std::max(first_stage_ + 1, wanted_end);
  } else if (options_.output == RunOutput::kHidden && end == stages.size() && head) {
    end = keeps_ && wanted_end == end ? end : end - 1;
  }
  last_stage_ = end;
  if (options_.output != RunOutput::kNone) return {};
  const Transformer::Stage& stage = stages[end - 1];
  if (stage.kind != StageKind::kBlock) return {};
  const std::string prefix =
      transformer_->stacks_[stage.stack].block_hooks + text(stage.layer) + ".attn.hook_";
  const auto place = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(known_, prefix + name) - known_.begin());
  };
  pattern_stage_ = needed <= place("pattern") + 1 && !wanted_[place("v")];
  return {};
}

// The first stage of a run that starts on a stream; blocks before `behind` run.
Status TransformerRun::plan_start(std::int64_t behind) {
  if (options_.stream == nullptr && options_.start_at_layer == 0) return {};
  const std::int64_t start = options_.start_at_layer;
  const bool inside = start >= 0 && start < behind;
  const std::size_t stage = transformer_->stage_of(inside ? start : 0);
  const bool decodes = transformer_->stages_[stage].stack > 0;
  const bool given = options_.stream != nullptr && (!decodes || options_.encoded != nullptr);
  if (!inside || !given || options_.cache != nullptr) {
    return Status::invalid("startAtLayer",
                           "a layer before " + text(behind) +
                               " with what enters it (in a decoder also what the encoder made), "
                               "without a cache",
                           text(start));
  }
  first_stage_ = stage;
  return {};
}

Status TransformerRun::check_parameters() const {
  const std::size_t end = pattern_stage_ ? last_stage_ - 1 : last_stage_;
  const Transformer::Parameter* missing = transformer_->first_missing(end, pattern_stage_);
  if (missing == nullptr) return {};
  return Status::unsupported("parameters", "those of the layers that run",
                             missing->name + " missing");
}

Status TransformerRun::take_buffers() {
  const std::vector<Transformer::Stage>& stages = transformer_->stages_;
  std::int64_t rows = 0;
  for (std::size_t i = first_stage_; i < last_stage_; ++i) {
    rows = std::max(rows, batch_ * sequences_[stages[i].stack].length);
  }
  stack_ = stages[first_stage_].stack;
  const std::int64_t size = rows * std::max(config().d_model, config().embedding_width());
  HEADWISE_RETURN_IF_ERROR(stream_.reserve(size, "the residual stream"));
  HEADWISE_RETURN_IF_ERROR(normed_.reserve(size, "the residual stream"));
  HEADWISE_RETURN_IF_ERROR(scratch_.reserve(size, "the residual stream"));
  HEADWISE_RETURN_IF_ERROR(take_streams());
  const std::int64_t hidden = std::min(rows, kHiddenRows) * config().d_mlp;
  HEADWISE_RETURN_IF_ERROR(hidden_.reserve(hidden, "hidden rows"));
  if (config().gated_mlp) HEADWISE_RETURN_IF_ERROR(gate_.reserve(hidden, "hidden rows"));
  const bool head = stages[last_stage_ - 1].kind == StageKind::kHead;
  return head ? plan_head() : Status{};
}

// What a run that starts at a block finds there, as if the blocks before it had run.
Status TransformerRun::take_streams() {
  if (options_.stream == nullptr) return {};
  const std::int64_t d_model = config().d_model;
  std::copy_n(options_.stream, batch_ * sequence().length * d_model, stream_.data());
  if (stack_ > 0) {
    const std::int64_t size = batch_ * sequences_[0].length * d_model;
    HEADWISE_RETURN_IF_ERROR(encoded_.reserve(size, "the encoder's state"));
    std::copy_n(options_.encoded, size, encoded_.data());
  }
  return fill_distance_bias(transformer_->stacks_[stack_]);
}

// Room for what the encoder makes of its input, of which every later run is told by the cache.
Status TransformerRun::take_encoder_cache() {
  DecodingCache* cache = options_.cache;
  if (cache == nullptr || !last_stack().cross || first_stage_ > 0) return {};
  cache->encoder_.resize(last_stack().blocks.size());
  for (KeyValueCache& layer : cache->encoder_) {
    Status status = layer.create({.batch = batch_,
                                  .kv_heads = config().heads_for_keys(),
                                  .head_dim = config().head_size(),
                                  .value_head_dim = config().head_size(),
                                  .capacity = sequences_[0].length});
    if (status.ok()) continue;
    cache->encoder_.clear();
    return status;
  }
  cache->encoder_mask_ = std::move(key_mask_);
  return {};
}

// --- Running ----------------------------------------------------------------------------------

std::int64_t TransformerRun::steps() const {
  const auto stages = static_cast<std::int64_t>(last_stage_ - first_stage_);
  const bool head = transformer_->stages_[last_stage_ - 1].kind == StageKind::kHead;
  return head ? stages - 1 + (head_rows_ + head_slice_ - 1) / head_slice_ : stages;
}

Status TransformerRun::run_stage(const Transformer::Stage& stage) {
  const Stack& stack = transformer_->stacks_[stage.stack];
  if (stage.stack != stack_) {  // the decoder begins: the encoder's last state becomes its memory
    std::swap(encoded_, stream_);
    HEADWISE_RETURN_IF_ERROR(stream_.reserve(normed_.size(), "the residual stream"));
    stack_ = stage.stack;
  }
  const std::int64_t d_model = config().d_model;
  switch (stage.kind) {
    case StageKind::kEmbed:
      return embed(stack);
    case StageKind::kBlock:
      return run_block(stack, stage.layer, pattern_stage_ && next_step_ + 1 == steps());
    case StageKind::kFinalNorm:
      normalize(stack.ln_final, stack.final_norm_hooks, rows_of(stream_.data(), rows(), d_model),
                stream_.data(), sequence().length);
      return {};
    case StageKind::kHead:
      break;
  }
  return run_head();
}

Status TransformerRun::step(bool* done) {
  *done = true;
  if (failed_ || next_step_ >= steps()) return {};
  const std::size_t stage = first_stage_ + static_cast<std::size_t>(next_step_);
  Status status = run_stage(transformer_->stages_[std::min(stage, last_stage_ - 1)]);
  if (status.ok()) status = std::move(refused_);
  ++next_step_;
  failed_ = !status.ok();
  *done = failed_ || next_step_ == steps();
  if (failed_ && options_.cache != nullptr) {
    (void)options_.cache->truncate(sequences_[transformer_->stacks_.size() - 1].past);
    if (first_stage_ == 0) options_.cache->encoder_.clear();
  }
  return status;
}

Tensor<const float, 3> TransformerRun::output() const {
  if (transformer_ == nullptr || options_.output == RunOutput::kNone || failed_ ||
      next_step_ < steps()) {
    return {};
  }
  const bool head = transformer_->stages_[last_stage_ - 1].kind == StageKind::kHead;
  if (head && options_.output != RunOutput::kHidden) {
    return Tensor<const float, 3>::contiguous(logits_,
                                              {batch_, head_rows_ / batch_, config().outputs()});
  }
  return Tensor<const float, 3>::contiguous(stream_.data(),
                                            {batch_, sequence().length, config().d_model});
}

Tensor<const float, 3> TransformerRun::encoded() const {
  if (stack_ == 0 || options_.cache != nullptr || failed_ || next_step_ < steps()) return {};
  return Tensor<const float, 3>::contiguous(encoded_.data(),
                                            {batch_, sequences_[0].length, config().d_model});
}

float* TransformerRun::keep(const std::string& prefix, const char* name, Dims dims) {
  if (!keeps_) return nullptr;
  const std::string full = prefix + name;
  const auto found = std::ranges::find(known_, full);
  if (found == known_.end() || !wanted_[static_cast<std::size_t>(found - known_.begin())]) {
    return nullptr;
  }
  float* data = nullptr;
  Status status = cache_.add(full, dims, &data);
  if (!status.ok()) refused_ = std::move(status);
  return data;
}

void TransformerRun::keep_copy(const std::string& prefix, const char* name, Dims dims,
                               const float* values) {
  float* kept = keep(prefix, name, dims);
  if (kept == nullptr) return;
  std::int64_t size = 1;
  for (const std::int64_t dim : dims) size *= dim;
  std::copy_n(values, size, kept);
}

void TransformerRun::keep_stream(const std::string& prefix, const char* name) {
  keep_copy(prefix, name, {batch_, sequence().length, config().d_model}, stream_.data());
}

// y, which may be x, becomes the norm of the rows of x; `length` of them are a sequence.
void TransformerRun::normalize(const Transformer::Norm& norm, const std::string& prefix,
                               const Tensor<float, 2>& x, float* y, std::int64_t length) {
  const std::int64_t width = x.dims[1];
  const NormActivations activations = {
      .scale = keep(prefix, "hook_scale", {batch_, length, 1}),
      .normalized = keep(prefix, "hook_normalized", {batch_, length, width})};
  layer_norm(x, norm.weight.data(), norm.bias.data(), static_cast<float>(config().norm_epsilon),
             rows_of(y, x.dims[0], width), activations);
}

}  // namespace headwise
