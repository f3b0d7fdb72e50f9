// What stands on the last hidden state: logits of tokens or of classes.
#include <algorithm>

#include "headwise/transformer_run.hpp"
#include "transformer_rows.hpp"

namespace headwise {

namespace {

// Multiply-adds of one step: some 20 ms of 128-bit SIMD.
constexpr double kSliceCost = 4e8;

}  // namespace

// Which rows pass, how many at a time, and where the results go.
Status TransformerRun::plan_head() {
  const bool classifier = config().head == HeadKind::kClassifier;
  const bool masked = config().head == HeadKind::kMaskedLanguageModel;
  const std::int64_t length = sequences_[transformer_->stacks_.size() - 1].length;
  const bool one = classifier || options_.output == RunOutput::kLast;
  const std::int64_t width = masked ? config().embedding_width() : config().d_model;
  const std::int64_t outputs = config().outputs();
  head_rows_ = batch_ * (one ? 1 : length);
  const double row_cost = static_cast<double>(width) * static_cast<double>(outputs);
  head_slice_ = std::max<std::int64_t>(static_cast<std::int64_t>(kSliceCost / row_cost), 1);
  const std::string prefix = classifier ? "head." : "unembed.";
  const std::int64_t each = head_rows_ / batch_;
  const auto keep_rows = [&](const char* name, std::int64_t columns) {
    return classifier ? keep(prefix, name, {batch_, columns})
                      : keep(prefix, name, {batch_, each, columns});
  };
  head_input_ = keep_rows("hook_in", width);
  logits_ = keep_rows("hook_out", outputs);
  if (head_input_ == nullptr) {
    HEADWISE_RETURN_IF_ERROR(head_buffer_.reserve(head_rows_ * width, "head rows"));
    head_input_ = head_buffer_.data();
  }
  if (logits_ == nullptr) {
    HEADWISE_RETURN_IF_ERROR(logits_buffer_.reserve(head_rows_ * outputs, "logits"));
    logits_ = logits_buffer_.data();
  }
  return {};
}

// The hidden rows that pass, one after another: what enters the head's matrix, or of a masked-LM
// head its transform.
void TransformerRun::gather_head_rows(float* target) const {
  const std::int64_t d_model = config().d_model;
  const std::int64_t length = sequence().length;
  const std::int64_t each = head_rows_ / batch_;
  const bool last = options_.output == RunOutput::kLast && config().head != HeadKind::kClassifier;
  const auto scale = static_cast<float>(config().logit_scale);
  for (std::int64_t row = 0; row < head_rows_; ++row) {
    const std::int64_t position = last ? length - 1 : row % each;
    const float* source = stream_.data() + (row / each * length + position) * d_model;
    std::transform(source, source + d_model, target + row * d_model,
                   [scale](float value) { return value * scale; });
  }
}

// y = ln(activation(dense(x)))
Status TransformerRun::transform_masked() {
  const std::int64_t width = config().embedding_width();
  gather_head_rows(scratch_.data());
  const Tensor<float, 2> y = rows_of(head_input_, head_rows_, width);
  HEADWISE_RETURN_IF_ERROR(
      transformer_->mlm_dense_.forward(rows_of(scratch_.data(), head_rows_, config().d_model), y,
                                       {.activation = config().activation}));
  normalize(transformer_->mlm_ln_, "mlm_head.ln.", y, y.data, head_rows_ / batch_);
  return {};
}

Status TransformerRun::run_head() {
  const bool masked = config().head == HeadKind::kMaskedLanguageModel;
  const bool classifier = config().head == HeadKind::kClassifier;
  const std::int64_t width = masked ? config().embedding_width() : config().d_model;
  const std::int64_t outputs = config().outputs();
  if (next_head_row_ == 0 && masked) HEADWISE_RETURN_IF_ERROR(transform_masked());
  if (next_head_row_ == 0 && !masked) gather_head_rows(head_input_);
  const std::int64_t first = next_head_row_;
  next_head_row_ = std::min(head_rows_, first + head_slice_);
  const std::int64_t count = next_head_row_ - first;
  const Linear& matrix =
      config().tied_head && !classifier ? transformer_->token_.matrix() : transformer_->head_;
  float* logits = logits_ + first * outputs;
  HEADWISE_RETURN_IF_ERROR(matrix.forward(rows_of(head_input_ + first * width, count, width),
                                          rows_of(logits, count, outputs)));
  if (transformer_->head_bias_.data() != nullptr) {
    for (std::int64_t row = 0; row < count; ++row) {
      add(transformer_->head_bias_.data(), outputs, logits + row * outputs);
    }
  }
  const auto cap = static_cast<float>(config().logit_softcap);
  if (cap > 0.0F) apply_softcap(cap, logits, logits, count * outputs);
  return {};
}

}  // namespace headwise
