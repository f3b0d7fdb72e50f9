#include "headwise/recurrent_layer.hpp"

#include <string>

#include "kernels/elementary.hpp"
#include "text.hpp"

namespace headwise {
namespace {

Status wrong_shape(const char* name, const std::string& expected, const TensorArgument& tensor) {
  return Status::invalid(name, expected, shape_text(tensor.dims, tensor.rank));
}

void apply_tanh(float* x, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) simd::store(x + i, kernels::tanh(simd::load(x + i)));
  for (; i < count; ++i) x[i] = kernels::tanh(simd::splat(x[i])).get(0);
}

}  // namespace

Status RecurrentLayer::create(const RecurrentWeights& weights) {
  const auto& [input, hidden, bias] = weights;
  if (input.rank != 2 || input.dims[0] < 1 || input.dims[1] < 1) {
    return wrong_shape("weights.input", "[width, input], at least 1 by 1", input);
  }
  const std::int64_t width = input.dims[0];
  const std::string width_text = text(width);
  if (hidden.rank != 2 || hidden.dims[0] != width || hidden.dims[1] != width) {
    return wrong_shape("weights.hidden", "[" + width_text + ", " + width_text + "]", hidden);
  }
  if (bias.given() && (bias.rank != 1 || bias.dims[0] != width)) {
    return wrong_shape("weights.bias", "[" + width_text + "]", bias);
  }
  HEADWISE_RETURN_IF_ERROR(input_.create(input.dims[1], width, WeightType::kFloat32, bias.given()));
  HEADWISE_RETURN_IF_ERROR(hidden_.create(width, width, WeightType::kFloat32, false));
  input_.set_rows(0, width, input.data);
  hidden_.set_rows(0, width, hidden.data);
  if (bias.given()) input_.set_bias(0, width, bias.data);
  return {};
}

Status RecurrentLayer::validate(const TensorArgument& x) const {
  if (x.rank == 3 && x.dims[2] == in()) return {};
  return wrong_shape("x", "[B, S, " + text(in()) + "]", x);
}

Status RecurrentLayer::begin(const TensorArgument& x, float* y) const {
  const std::int64_t rows = x.dims[0] * x.dims[1];
  return input_.forward(Tensor<const float, 2>::contiguous(x.data, {rows, in()}),
                        Tensor<float, 2>::contiguous(y, {rows, width()}));
}

Status RecurrentLayer::step(const TensorArgument& x, float* y, std::int64_t position) const {
  const std::int64_t batch = x.dims[0];
  const std::int64_t stride = x.dims[1] * width();
  float* now = y + position * width();
  if (position > 0) {
    const Tensor<const float, 2> before{now - width(), {batch, width()}, {stride, 1}};
    const Tensor<float, 2> sum{now, {batch, width()}, {stride, 1}};
    HEADWISE_RETURN_IF_ERROR(hidden_.forward(before, sum, {.accumulate = true}));
  }
  for (std::int64_t b = 0; b < batch; ++b) apply_tanh(now + b * stride, width());
  return {};
}

}  // namespace headwise
