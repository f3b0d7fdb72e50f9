// One forward pass through the transformer, a block at a time, with what is kept and changed on the
// way.
#include <algorithm>
#include <cstddef>

#include "head_layout.hpp"
#include "headwise/norm.hpp"
#include "headwise/transformer.hpp"
#include "kernels/simd.hpp"
#include "text.hpp"

namespace headwise {

namespace {

// Rows that pass the feed-forward layer together: its hidden rows then stay in the second-level
// cache between the two products.
constexpr std::int64_t kHiddenRows = 96;

Tensor<float, 2> rows_of(float* data, std::int64_t rows, std::int64_t width) {
  return Tensor<float, 2>::contiguous(data, {rows, width});
}

void add(const float* x, std::int64_t count, float* sum) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) simd::store(sum + i, simd::load(sum + i) + simd::load(x + i));
  for (; i < count; ++i) sum[i] += x[i];
}

std::string block_prefix(std::int64_t index) { return "blocks." + text(index) + "."; }

}  // namespace

Status TransformerRun::begin(const Transformer& transformer, const std::int32_t* ids,
                             std::int64_t batch, std::int64_t length, const std::int32_t* type_ids,
                             const std::uint8_t* key_mask, const RunOptions& options) {
  transformer_ = &transformer;
  options_ = options;
  batch_ = batch;
  length_ = length;
  next_step_ = 0;
  failed_ = true;  // until everything is judged
  cache_.clear();
  const TransformerConfig& config = transformer.config();
  if (batch < 1 || length < 1 || length > config.max_positions) {
    return Status::invalid(
        "ids", "at least one sequence of 1 to " + text(config.max_positions) + " tokens",
        text(batch) + " of " + text(length));
  }
  HEADWISE_RETURN_IF_ERROR(copy_inputs(ids, type_ids, key_mask));
  HEADWISE_RETURN_IF_ERROR(check_inputs());
  HEADWISE_RETURN_IF_ERROR(plan_steps());
  HEADWISE_RETURN_IF_ERROR(take_interventions());
  const std::int64_t size = batch * length * config.d_model;
  HEADWISE_RETURN_IF_ERROR(stream_.reserve(size, "the residual stream"));
  HEADWISE_RETURN_IF_ERROR(scratch_.reserve(size, "the residual stream"));
  HEADWISE_RETURN_IF_ERROR(
      hidden_.reserve(std::min(batch * length, kHiddenRows) * config.d_mlp, "hidden rows"));
  failed_ = false;
  return {};
}

Status TransformerRun::copy_inputs(const std::int32_t* ids, const std::int32_t* type_ids,
                                   const std::uint8_t* key_mask) {
  const std::int64_t count = batch_ * length_;
  HEADWISE_RETURN_IF_ERROR(ids_.reserve(count, "ids"));
  std::copy_n(ids, count, ids_.data());
  HEADWISE_RETURN_IF_ERROR(type_ids_.reserve(count, "typeIds"));
  if (type_ids != nullptr) {
    std::copy_n(type_ids, count, type_ids_.data());
  } else {
    std::fill_n(type_ids_.data(), count, 0);
  }
  key_mask_.reset();
  if (key_mask == nullptr) return {};
  HEADWISE_RETURN_IF_ERROR(key_mask_.allocate(count, "keyMask"));
  std::copy_n(key_mask, count, key_mask_.data());
  return {};
}

Status TransformerRun::check_inputs() const {
  const std::int64_t count = batch_ * length_;
  HEADWISE_RETURN_IF_ERROR(transformer_->token_.check(ids_.data(), count, "ids"));
  if (transformer_->config().token_types == 0) {
    const auto given = std::find_if(type_ids_.data(), type_ids_.data() + count,
                                    [](std::int32_t id) { return id != 0; });
    if (given == type_ids_.data() + count) return {};
    return Status::invalid("typeIds", "zeros: the model has no token types",
                           text(std::int64_t{*given}));
  }
  return transformer_->token_type_.check(type_ids_.data(), count, "typeIds");
}

// Which blocks run, and whether their parameters are there.
Status TransformerRun::plan_steps() {
  const std::int64_t layers = transformer_->config().num_layers;
  const std::int64_t stop = options_.stop_at_layer;
  if (stop < -1 || stop > layers) {
    return Status::invalid("stopAtLayer", "a layer from 0 to " + text(layers), text(stop));
  }
  blocks_ = stop < 0 ? layers : stop;
  pattern_step_ = false;

  // The embedding's names come first, then the same number for each block.
  known_ = transformer_->activation_names();
  const std::size_t first = transformer_->config().token_types > 0 ? 6 : 5;
  const std::size_t per_block = (known_.size() - first) / static_cast<std::size_t>(layers);
  known_.resize(first + per_block * static_cast<std::size_t>(blocks_));
  HEADWISE_RETURN_IF_ERROR(select_names(options_.names, known_, "names", &wanted_));
  if (!options_.output) {
    const auto last = std::find(wanted_.rbegin(), wanted_.rend(), true);
    const std::size_t needed = static_cast<std::size_t>(wanted_.rend() - last);  // names
    blocks_ = 0;
    if (needed > first) {
      const std::int64_t block = static_cast<std::int64_t>((needed - first - 1) / per_block);
      const std::size_t place = (needed - first - 1) % per_block;
      const std::string prefix = block_prefix(block);
      const auto wanted_in_block = [&](const char* name) {
        const auto found = std::find(known_.begin(), known_.end(), prefix + name);
        return wanted_[static_cast<std::size_t>(found - known_.begin())];
      };
      const std::size_t pattern = 5;  // resid_pre, q, k, v, scores, pattern
      pattern_step_ = place <= pattern && !wanted_in_block("attn.hook_v");
      blocks_ = pattern_step_ ? block : block + 1;
    }
  }
  const bool ready =
      blocks_ + (pattern_step_ ? 1 : 0) <=
      (pattern_step_ ? transformer_->ready_patterns() : transformer_->ready_blocks());
  if (ready && transformer_->embedding_ready()) return {};
  for (const ParameterSpec& spec : transformer_->parameters()) {
    if (spec.present || spec.name == "embed.token") continue;
    return Status::unsupported("parameters", "those of the layers that run",
                               spec.name + " missing");
  }
  return {};
}

// Judges the interventions and copies their tensors, which the caller may release.
Status TransformerRun::take_interventions() {
  const TransformerConfig& config = transformer_->config();
  const std::int64_t end = options_.stop_at_layer < 0 ? config.num_layers : options_.stop_at_layer;
  std::vector<std::string> places;
  for (std::int64_t i = 0; i < config.num_layers; ++i) {
    places.push_back(block_prefix(i) + "attn.hook_z");
  }
  intervention_values_.clear();
  for (Intervention& intervention : options_.interventions) {
    std::vector<bool> selected;
    HEADWISE_RETURN_IF_ERROR(select_names({intervention.name}, places, "interventions", &selected));
    // A change where the run does not come would be ignored in silence.
    const auto behind = selected.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::find(selected.begin(), behind, true) == behind) {
      return Status::invalid("interventions",
                             "a place before layer " + text(end) + " (stopAtLayer)",
                             intervention.name);
    }
    HEADWISE_RETURN_IF_ERROR(validate(intervention, batch_, length_, config.num_heads,
                                      config.d_model / config.num_heads));
    if (intervention.values == nullptr) continue;
    std::int64_t size = 1;
    for (int i = 0; i < intervention.rank; ++i) size *= intervention.dims[i];
    Buffer<float> values;
    HEADWISE_RETURN_IF_ERROR(values.allocate(size, "interventions"));
    std::copy_n(intervention.values, size, values.data());
    intervention.values = values.data();
    intervention_values_.push_back(std::move(values));
  }
  return {};
}

Status TransformerRun::keep(const std::string& name, std::vector<std::int64_t> dims, float** data) {
  *data = nullptr;
  const auto found = std::find(known_.begin(), known_.end(), name);
  const bool wanted =
      found != known_.end() && wanted_[static_cast<std::size_t>(found - known_.begin())];
  return wanted ? cache_.add(name, std::move(dims), data) : Status{};
}

Status TransformerRun::keep_stream(const std::string& name) {
  const std::int64_t d_model = transformer_->config().d_model;
  float* kept = nullptr;
  HEADWISE_RETURN_IF_ERROR(keep(name, {batch_, length_, d_model}, &kept));
  if (kept != nullptr) std::copy_n(stream_.data(), batch_ * length_ * d_model, kept);
  return {};
}

// The stream through a norm, in place.
Status TransformerRun::normalize(const Transformer::Norm& norm, const std::string& prefix) {
  const std::int64_t d_model = transformer_->config().d_model;
  NormActivations activations;
  HEADWISE_RETURN_IF_ERROR(keep(prefix + "hook_scale", {batch_, length_, 1}, &activations.scale));
  HEADWISE_RETURN_IF_ERROR(
      keep(prefix + "hook_normalized", {batch_, length_, d_model}, &activations.normalized));
  const Tensor<float, 2> stream = rows_of(stream_.data(), batch_ * length_, d_model);
  layer_norm(stream, norm.weight.data(), norm.bias.data(),
             static_cast<float>(transformer_->config().norm_epsilon), stream, activations);
  return {};
}

Status TransformerRun::add_rows(const EmbeddingTable& table, const std::int32_t* ids,
                                const char* name) {
  const std::int64_t rows = batch_ * length_;
  const std::int64_t d_model = transformer_->config().d_model;
  float* kept = nullptr;
  HEADWISE_RETURN_IF_ERROR(keep(name, {batch_, length_, d_model}, &kept));
  float* target = kept != nullptr ? kept : scratch_.data();
  table.lookup(ids, rows, rows_of(target, rows, d_model));
  add(target, rows * d_model, stream_.data());
  return {};
}

Status TransformerRun::embed() {
  const std::int64_t rows = batch_ * length_;
  std::fill_n(stream_.data(), rows * transformer_->config().d_model, 0.0F);
  HEADWISE_RETURN_IF_ERROR(add_rows(transformer_->token_, ids_.data(), "embed.hook_embed"));
  std::vector<std::int32_t> positions(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    positions[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i % length_);
  }
  HEADWISE_RETURN_IF_ERROR(
      add_rows(transformer_->position_, positions.data(), "embed.hook_pos_embed"));
  if (transformer_->config().token_types > 0) {
    HEADWISE_RETURN_IF_ERROR(
        add_rows(transformer_->token_type_, type_ids_.data(), "embed.hook_token_type_embed"));
  }
  HEADWISE_RETURN_IF_ERROR(normalize(transformer_->embed_ln_, "embed.ln."));
  return keep_stream("hook_full_embed");
}

void TransformerRun::intervene(const std::string& name, const Tensor<float, 4>& z) const {
  for (const Intervention& intervention : options_.interventions) {
    if (matches_pattern(intervention.name, name)) apply(intervention, z, key_mask_.data());
  }
}

// The attention layer on the stream. Its output goes to scratch_, or to the cache; *output is
// where.
Status TransformerRun::attend(std::int64_t index, bool pattern_only, float** output) {
  const TransformerConfig& config = transformer_->config();
  const std::int64_t heads = config.num_heads;
  const std::int64_t head_dim = config.d_model / heads;
  const std::string prefix = block_prefix(index);
  const std::string z_name = prefix + "attn.hook_z";
  MultiHeadAttentionCall call;
  call.query = {stream_.data(), 3, {batch_, length_, config.d_model}};
  if (key_mask_.data() != nullptr) {
    call.options.key_mask = key_mask_.data();
    call.options.key_mask_rank = 2;
    call.options.key_mask_dims = {batch_, length_};
  }
  MultiHeadAttentionResult result;
  const std::vector<std::int64_t> split = {batch_, length_, heads, head_dim};
  const std::vector<std::int64_t> square = {batch_, heads, length_, length_};
  HEADWISE_RETURN_IF_ERROR(keep(prefix + "attn.hook_q", split, &result.q));
  HEADWISE_RETURN_IF_ERROR(keep(prefix + "attn.hook_k", split, &result.k));
  HEADWISE_RETURN_IF_ERROR(keep(prefix + "attn.hook_v", split, &result.v));
  HEADWISE_RETURN_IF_ERROR(keep(prefix + "attn.hook_attn_scores", square, &result.scores));
  result.scores_point = ScoresPoint::kBiased;
  HEADWISE_RETURN_IF_ERROR(keep(prefix + "attn.hook_pattern", square, &result.weights));
  float* shares = nullptr;
  Buffer<float> heads_first;
  if (!pattern_only) {
    HEADWISE_RETURN_IF_ERROR(keep(z_name, split, &result.z));
    HEADWISE_RETURN_IF_ERROR(
        keep(prefix + "attn.hook_result", {batch_, length_, heads, config.d_model}, &shares));
    HEADWISE_RETURN_IF_ERROR(
        keep(prefix + "hook_attn_out", {batch_, length_, config.d_model}, &result.output));
    if (result.output == nullptr) result.output = scratch_.data();
    if (shares != nullptr) {
      HEADWISE_RETURN_IF_ERROR(
          heads_first.allocate(batch_ * length_ * heads * config.d_model, "hook_result"));
      result.heads = heads_first.data();
    }
    result.edit_z = [&](const Tensor<float, 4>& z) { intervene(z_name, z); };
  }
  HEADWISE_RETURN_IF_ERROR(attention_.begin(
      transformer_->blocks_[static_cast<std::size_t>(index)].attention, call, result));
  HEADWISE_RETURN_IF_ERROR(attention_.finish());
  if (shares != nullptr) {
    const auto by_head =
        Tensor<float, 4>::contiguous(heads_first.data(), {batch_, heads, length_, config.d_model});
    copy_by_position(by_head, shares);
  }
  *output = result.output;
  return {};
}

// Adds mlp(stream) to the stream.
Status TransformerRun::feed_forward(std::int64_t index) {
  const TransformerConfig& config = transformer_->config();
  const Transformer::Block& block = transformer_->blocks_[static_cast<std::size_t>(index)];
  const std::string prefix = block_prefix(index);
  const std::int64_t rows = batch_ * length_;
  float* pre = nullptr;
  float* post = nullptr;
  float* out = nullptr;
  HEADWISE_RETURN_IF_ERROR(keep(prefix + "mlp.hook_pre", {batch_, length_, config.d_mlp}, &pre));
  HEADWISE_RETURN_IF_ERROR(keep(prefix + "mlp.hook_post", {batch_, length_, config.d_mlp}, &post));
  HEADWISE_RETURN_IF_ERROR(keep(prefix + "hook_mlp_out", {batch_, length_, config.d_model}, &out));
  for (std::int64_t first = 0; first < rows; first += kHiddenRows) {
    const std::int64_t count = std::min(kHiddenRows, rows - first);
    float* stream = stream_.data() + first * config.d_model;
    float* hidden = post != nullptr ? post + first * config.d_mlp : hidden_.data();
    const Tensor<float, 2> x = rows_of(stream, count, config.d_model);
    const Tensor<float, 2> y = rows_of(hidden, count, config.d_mlp);
    if (pre != nullptr) {
      float* before = pre + first * config.d_mlp;
      HEADWISE_RETURN_IF_ERROR(block.mlp_in.forward(x, rows_of(before, count, config.d_mlp)));
      apply_activation(config.activation, before, hidden, count * config.d_mlp);
    } else {
      HEADWISE_RETURN_IF_ERROR(block.mlp_in.forward(x, y, {.activation = config.activation}));
    }
    if (out == nullptr) {
      HEADWISE_RETURN_IF_ERROR(block.mlp_out.forward(y, x, {.accumulate = true}));
      continue;
    }
    const Tensor<float, 2> kept = rows_of(out + first * config.d_model, count, config.d_model);
    HEADWISE_RETURN_IF_ERROR(block.mlp_out.forward(y, kept));
    add(kept.data, count * config.d_model, stream);
  }
  return {};
}

Status TransformerRun::run_block(std::int64_t index) {
  const Transformer::Block& block = transformer_->blocks_[static_cast<std::size_t>(index)];
  const std::string prefix = block_prefix(index);
  HEADWISE_RETURN_IF_ERROR(keep_stream(prefix + "hook_resid_pre"));
  float* attended = nullptr;
  HEADWISE_RETURN_IF_ERROR(attend(index, false, &attended));
  add(attended, batch_ * length_ * transformer_->config().d_model, stream_.data());
  HEADWISE_RETURN_IF_ERROR(keep_stream(prefix + "hook_resid_mid"));
  HEADWISE_RETURN_IF_ERROR(normalize(block.ln1, prefix + "ln1."));
  HEADWISE_RETURN_IF_ERROR(feed_forward(index));
  HEADWISE_RETURN_IF_ERROR(keep_stream(prefix + "hook_resid_post"));
  HEADWISE_RETURN_IF_ERROR(normalize(block.ln2, prefix + "ln2."));
  return keep_stream(prefix + "hook_normalized_resid_post");
}

Status TransformerRun::step(bool* done) {
  *done = true;
  if (failed_ || next_step_ >= steps()) return {};
  Status status;
  if (next_step_ == 0) {
    status = embed();
  } else if (next_step_ <= blocks_) {
    status = run_block(next_step_ - 1);
  } else {
    status = keep_stream(block_prefix(blocks_) + "hook_resid_pre");
    float* nothing = nullptr;
    if (status.ok()) status = attend(blocks_, true, &nothing);
  }
  ++next_step_;
  failed_ = !status.ok();
  *done = failed_ || next_step_ == steps();
  return status;
}

std::int64_t TransformerRun::steps() const { return 1 + blocks_ + (pattern_step_ ? 1 : 0); }

Tensor<const float, 3> TransformerRun::output() const {
  const bool whole = options_.output && !failed_ && next_step_ == steps();
  if (transformer_ == nullptr || !whole) return {};
  return Tensor<const float, 3>::contiguous(stream_.data(),
                                            {batch_, length_, transformer_->config().d_model});
}

}  // namespace headwise
