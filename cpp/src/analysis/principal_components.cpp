#include "headwise/analysis/principal_components.hpp"

#include <algorithm>

#include "analysis/tensors.hpp"
#include "text.hpp"

namespace headwise::analysis {

Status PrincipalComponents::begin(const TensorArgument& x, std::optional<std::int64_t> wanted) {
  constexpr const char* kShape = "a matrix [S, D] of at least 2 rows";
  HEADWISE_RETURN_IF_ERROR(check_tensor(x, "x", 2, 2, kShape));
  samples = x.dims[0];
  features = x.dims[1];
  if (samples < 2) return Status::invalid("x", kShape, shape_text(x.dims, x.rank));
  const std::int64_t most = std::min(samples, features);
  count = wanted.value_or(most);
  if (count < 1 || count > most) {
    return Status::invalid("components", "1 to " + text(most) + ", the shorter side of x",
                           text(count));
  }
  HEADWISE_RETURN_IF_ERROR(values_.create(samples, features, true));
  HEADWISE_RETURN_IF_ERROR(take({{&scores, samples * count},
                                 {&components, count * features},
                                 {&mean, features},
                                 {&variance, count},
                                 {&ratio, count}}));
  total_ = 0.0;
  for (std::int64_t j = 0; j < features; ++j) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < samples; ++i) sum += x.data[i * features + j];
    const double middle = sum / static_cast<double>(samples);
    mean[j] = static_cast<float>(middle);
    for (std::int64_t i = 0; i < samples; ++i) {
      const double value = x.data[i * features + j] - middle;
      values_.entry(i, j) = value;
      total_ += value * value;
    }
  }
  return {};
}

Status PrincipalComponents::step(bool* done) {
  HEADWISE_RETURN_IF_ERROR(values_.step(done));
  if (!*done) return {};
  for (std::int64_t k = 0; k < count; ++k) {
    const double value = values_.value(k);
    variance[k] = static_cast<float>(value * value / static_cast<double>(samples - 1));
    ratio[k] = total_ == 0.0 ? 0.0F : static_cast<float>(value * value / total_);
    for (std::int64_t i = 0; i < samples; ++i) {
      scores[i * count + k] = static_cast<float>(value * values_.left(i, k));
    }
    for (std::int64_t j = 0; j < features; ++j) {
      components[k * features + j] = static_cast<float>(values_.right(k, j));
    }
  }
  return {};
}

}  // namespace headwise::analysis
