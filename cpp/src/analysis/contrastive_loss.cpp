#include "headwise/analysis/contrastive_loss.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/tensors.hpp"
#include "text.hpp"

namespace headwise::analysis {
namespace {

constexpr std::int64_t kRows = 32;  // of a slice

}  // namespace

Status ContrastiveLoss::begin(const TensorArgument& a, const TensorArgument& b, double scale) {
  HEADWISE_RETURN_IF_ERROR(check_tensor(a, "a", 2, 2, "[N, D], none 0"));
  HEADWISE_RETURN_IF_ERROR(check_tensor(b, "b", 2, 2, "[N, D], none 0"));
  if (a.dims != b.dims) {
    return Status::invalid("b", shape_text(a.dims, 2) + ", as a", shape_text(b.dims, 2));
  }
  a_ = a;
  scale_ = scale;
  next_ = 0;
  pairs = a.dims[0];
  HEADWISE_RETURN_IF_ERROR(candidates_.create(a.dims[1], pairs, WeightType::kFloat32, false));
  candidates_.set_rows(0, pairs, b.data);
  return take({{&losses, pairs}, {&right, pairs}, {&scores_, std::min(kRows, pairs) * pairs}});
}

Status ContrastiveLoss::step(bool* done) {
  const std::int64_t count = std::min(kRows, pairs - next_);
  const std::int64_t width = a_.dims[1];
  HEADWISE_RETURN_IF_ERROR(candidates_.forward(
      Tensor<const float, 2>::contiguous(a_.data + next_ * width, {count, width}),
      Tensor<float, 2>::contiguous(scores_.data(), {count, pairs})));
  for (std::int64_t row = 0; row < count; ++row, ++next_) {
    const float* scores = scores_.data() + row * pairs;
    const float* most = std::max_element(scores, scores + pairs);
    double sum = 0.0;
    for (std::int64_t j = 0; j < pairs; ++j) sum += std::exp(scale_ * (double{scores[j]} - *most));
    losses[next_] = static_cast<float>(std::log(sum) + scale_ * (double{*most} - scores[next_]));
    right[next_] = most - scores == next_ ? 1.0F : 0.0F;
  }
  *done = next_ == pairs;
  return {};
}

}  // namespace headwise::analysis
