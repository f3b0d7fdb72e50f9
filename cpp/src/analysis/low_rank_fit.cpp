#include "headwise/analysis/low_rank_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/tensors.hpp"
#include "analysis/vectors.hpp"
#include "random_numbers.hpp"
#include "text.hpp"

namespace headwise::analysis {
namespace {

constexpr std::int64_t kStarts = 4;
// What the logarithm of a smaller weight is taken of: it is only a start.
constexpr double kLeastWeight = 1e-4;
// Random numbers added to a start, against its own: fits of fewer dimensions are saddle points.
constexpr double kNoise = 0.01;
// An exponential costs as much as so many multiply-adds.
constexpr double kExponential = 60.0;

double root_mean_square(const double* x, std::int64_t length) {
  return std::sqrt(dot(x, x, length) / static_cast<double>(length));
}

Status check_pattern(const TensorArgument& pattern) {
  constexpr const char* kShape = "a square matrix [n, n], n at least 1";
  constexpr const char* kRows = "rows of numbers of at least 0 that sum to 1";
  HEADWISE_RETURN_IF_ERROR(check_tensor(pattern, "pattern", 2, 2, kShape));
  const std::int64_t n = pattern.dims[0];
  if (pattern.dims[1] != n) {
    return Status::invalid("pattern", kShape, shape_text(pattern.dims, pattern.rank));
  }
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0.0;
    double least = 0.0;
    for (std::int64_t j = 0; j < n; ++j) {
      const double weight = pattern.data[i * n + j];
      sum += weight;
      least = std::min(least, weight);
    }
    if (least < 0.0 || std::fabs(sum - 1.0) > 1e-4) {
      return Status::invalid("pattern", kRows, least < 0.0 ? text(least) : "the sum " + text(sum));
    }
  }
  return {};
}

}  // namespace

Status LowRankFit::begin(const TensorArgument& pattern, double norm,
                         std::optional<std::int64_t> most, std::uint64_t seed) {
  HEADWISE_RETURN_IF_ERROR(check_pattern(pattern));
  if (!(norm > 0.0) || std::isinf(norm)) {
    return Status::invalid("norm", "a number above 0", text(norm));
  }
  size = pattern.dims[0];
  count = most.value_or(size);
  if (count < 1 || count > size) {
    return Status::invalid("maxHeadDim", "1 to " + text(size) + ", the length of the pattern",
                           text(count));
  }
  HEADWISE_RETURN_IF_ERROR(allocate());
  read(pattern.data);
  HEADWISE_RETURN_IF_ERROR(logarithm_.finish());
  norm_ = norm;
  seed_ = seed;
  best_value_ = std::numeric_limits<double>::infinity();
  head_dim_ = 1;
  start_ = 0;
  start();
  return {};
}

Status LowRankFit::allocate() {
  const std::int64_t cells = size * size;
  const std::int64_t variables = 2 * size * count;
  HEADWISE_RETURN_IF_ERROR(memory_.allocate(3 * cells + variables, "analysis"));
  target_ = memory_.data();
  scores_ = target_ + cells;
  attended_ = scores_ + cells;
  best_ = attended_ + cells;
  HEADWISE_RETURN_IF_ERROR(take({{&divergence, count},
                                 {&largest_error, count},
                                 {&norms, count},
                                 {&weights, count * cells},
                                 {&queries, count * size * count},
                                 {&keys, count * size * count}}));
  HEADWISE_RETURN_IF_ERROR(minimiser_.create(variables));
  HEADWISE_RETURN_IF_ERROR(logarithm_.create(size, size, true));
  for (Buffer<float>* each : {&divergence, &largest_error, &norms}) {
    std::fill_n(each->data(), count, std::numeric_limits<float>::quiet_NaN());
  }
  for (Buffer<float>* each : {&weights, &queries, &keys}) {
    std::fill_n(each->data(), each->size(), 0.0F);
  }
  return {};
}

// The pattern with rows that sum to exactly 1, their entropy, and the logarithm.
void LowRankFit::read(const float* pattern) {
  entropy_ = 0.0;
  for (std::int64_t i = 0; i < size; ++i) {
    const float* row = pattern + i * size;
    double sum = 0.0;
    double logarithms = 0.0;
    for (std::int64_t j = 0; j < size; ++j) {
      sum += row[j];
      logarithms += logarithm_.entry(i, j) = std::log(std::max(double{row[j]}, kLeastWeight));
    }
    for (std::int64_t j = 0; j < size; ++j) {
      const double weight = target_[i * size + j] = row[j] / sum;
      if (weight > 0.0) entropy_ -= weight * std::log(weight) / static_cast<double>(size);
      logarithm_.entry(i, j) -= logarithms / static_cast<double>(size);
    }
  }
}

// Writes a start into the minimiser.
void LowRankFit::start() {
  const std::int64_t length = 2 * size * head_dim_;
  const std::int64_t known = length - 2 * size;  // of the fit with one dimension less
  minimiser_.begin(length);
  double* x = minimiser_.point();
  RandomNumbers random(seed_ + static_cast<std::uint64_t>(head_dim_ * kStarts + start_));
  for (std::int64_t i = 0; i < length; ++i) x[i] = random.normal();
  if (start_ == 0 && known > 0) {
    const double noise = kNoise * root_mean_square(best_, known);
    std::copy_n(best_, known, x);
    for (std::int64_t i = known; i < length; ++i) x[i] *= noise;
    std::fill_n(best_ + known, 2 * size, 0.0);
  } else if (start_ == 1) {
    for (std::int64_t c = 0; c < head_dim_; ++c) {
      const double root = std::sqrt(logarithm_.value(c));
      double* q = x + c * 2 * size;
      double* k = q + size;
      for (std::int64_t i = 0; i < size; ++i) {
        q[i] = root * logarithm_.left(i, c) + kNoise * q[i];
        k[i] = root * logarithm_.right(c, i) + kNoise * k[i];
      }
    }
  }
}

// The divergence at queries and keys, and its gradient where that is wanted. Only the direction of
// Q K^T counts: its length is always the best one.
double LowRankFit::evaluate(const double* x, double* gradient) {
  const std::int64_t cells = size * size;
  cost_ += static_cast<double>(3 * cells * head_dim_);
  std::fill_n(scores_, cells, 0.0);
  for (std::int64_t c = 0; c < head_dim_; ++c) {
    const double* q = x + c * 2 * size;
    for (std::int64_t i = 0; i < size; ++i) {
      add_scaled(scores_ + i * size, q[i], q + size, size);
    }
  }
  const double length = root_mean_square(scores_, cells);
  for (std::int64_t i = 0; i < cells && length > 0.0; ++i) scores_[i] /= length;
  choose_length();
  if (gradient == nullptr) return value_;

  // By the scores: (W - P) / n, less its part along them. It takes the place of W.
  const double along = slope_ / static_cast<double>(cells);
  const double factor = length > 0.0 ? length_ / length : 0.0;
  for (std::int64_t i = 0; i < cells; ++i) {
    const double difference = (attended_[i] - target_[i]) / static_cast<double>(size);
    attended_[i] = factor * (difference - along * scores_[i]);
  }
  std::fill_n(gradient, 2 * size * head_dim_, 0.0);
  for (std::int64_t c = 0; c < head_dim_; ++c) {
    const double* q = x + c * 2 * size;
    double* by_q = gradient + c * 2 * size;
    for (std::int64_t i = 0; i < size; ++i) {
      const double* row = attended_ + i * size;
      by_q[i] = dot(row, q + size, size);
      add_scaled(by_q + size, q[i], row, size);
    }
  }
  return value_;
}

// The length that fits best, up to the norm: the divergence is convex in it, so Newton's method
// between two bounds finds it.
void LowRankFit::choose_length() {
  attend(norm_);
  if (slope_ <= 0.0) return;
  double low = 0.0;
  double high = norm_;
  for (int round = 0; round < 60; ++round) {
    double next = length_ - slope_ / bend_;
    const bool is_inside = next > low && next < high;  // not so for NaN
    if (!is_inside) next = (low + high) / 2.0;
    if (std::fabs(next - length_) <= 1e-12 * norm_) return;
    attend(next);
    (slope_ > 0.0 ? high : low) = length_;
  }
}

void LowRankFit::attend(double length) {
  const double share = 1.0 / static_cast<double>(size);
  cost_ += static_cast<double>(size * size) * kExponential;
  length_ = length;
  value_ = -entropy_;
  slope_ = bend_ = 0.0;
  for (std::int64_t i = 0; i < size; ++i) {
    const double* scores = scores_ + i * size;
    double* row = attended_ + i * size;
    const double largest = *std::max_element(scores, scores + size);
    double sum = 0.0;
    for (std::int64_t j = 0; j < size; ++j) {
      sum += row[j] = std::exp(length * (scores[j] - largest));
    }
    for (std::int64_t j = 0; j < size; ++j) row[j] /= sum;
    const double wanted = dot(target_ + i * size, scores, size);
    const double mean = dot(row, scores, size);
    value_ += share * (length * (largest - wanted) + std::log(sum));
    slope_ += share * (mean - wanted);
    for (std::int64_t j = 0; j < size; ++j) {
      bend_ += share * row[j] * (scores[j] - mean) * (scores[j] - mean);
    }
  }
}

Status LowRankFit::step(bool* done) {
  cost_ = 0.0;
  for (*done = false; !*done && cost_ < kSliceCost;) {
    if (minimiser_.tell(evaluate(minimiser_.point(), minimiser_.gradient()))) continue;
    if (minimiser_.value() < best_value_) {
      best_value_ = minimiser_.value();
      std::copy_n(minimiser_.best(), 2 * size * head_dim_, best_);
    }
    if (++start_ == kStarts) {
      HEADWISE_RETURN_IF_ERROR(keep());
      start_ = 0;
      *done = ++head_dim_ > count;
    }
    if (!*done) start();
  }
  return {};
}

// The best fit of this dimension, as results. Only the product of queries and keys is determined:
// they are taken from its decomposition.
Status LowRankFit::keep() {
  const std::int64_t at = head_dim_ - 1;
  const std::int64_t cells = size * size;
  evaluate(best_, nullptr);
  SingularValues product;
  HEADWISE_RETURN_IF_ERROR(product.create(size, size, true));
  const double scale = length_ * std::sqrt(static_cast<double>(head_dim_));
  double worst = 0.0;
  for (std::int64_t i = 0; i < cells; ++i) {
    weights[at * cells + i] = static_cast<float>(attended_[i]);
    worst = std::max(worst, std::fabs(attended_[i] - target_[i]));
    product.entry(i / size, i % size) = scale * scores_[i];
  }
  HEADWISE_RETURN_IF_ERROR(product.finish());
  divergence[at] = static_cast<float>(std::max(0.0, value_));
  largest_error[at] = static_cast<float>(worst);
  norms[at] = static_cast<float>(length_ * root_mean_square(scores_, cells));
  for (std::int64_t c = 0; c < head_dim_; ++c) {
    const double root = std::sqrt(product.value(c));
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t cell = (at * size + i) * count + c;
      queries[cell] = static_cast<float>(root * product.left(i, c));
      keys[cell] = static_cast<float>(root * product.right(c, i));
    }
  }
  return {};
}

}  // namespace headwise::analysis
