#include "headwise/analysis/head_similarity.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/tensors.hpp"
#include "analysis/vectors.hpp"
#include "text.hpp"

namespace headwise::analysis {

Status HeadSimilarity::begin(const TensorArgument& x, bool debiased) {
  HEADWISE_RETURN_IF_ERROR(check_tensor(x, "x", 3, 8, "[..., H, D], none 0"));
  x_ = x;
  debiased_ = debiased;
  next_ = 0;
  heads = x.dims[x.rank - 2];
  columns_ = x.dims[x.rank - 1];
  tokens_ = 1;
  for (int axis = 0; axis < x.rank - 2; ++axis) tokens_ *= x.dims[axis];
  const std::int64_t least = debiased ? 4 : 2;
  if (tokens_ < least) {
    return Status::invalid("x", "at least " + text(least) + " tokens", text(tokens_));
  }
  // The smaller of the two ways to write the same sum of squares.
  by_tokens_ = tokens_ <= columns_;
  size_ = by_tokens_ ? tokens_ * tokens_ : columns_ * tokens_;
  HEADWISE_RETURN_IF_ERROR(take({{&described_, heads * size_},
                                 {&centred_, columns_ * tokens_},
                                 {&squares_, heads * tokens_},
                                 {&own_, heads}}));
  return take({{&similarity, heads * heads}});
}

void HeadSimilarity::describe(std::int64_t head) {
  double* squares = squares_.data() + head * tokens_;
  std::fill_n(squares, tokens_, 0.0);
  for (std::int64_t c = 0; c < columns_; ++c) {
    double* column = centred_.data() + c * tokens_;
    double sum = 0.0;
    for (std::int64_t i = 0; i < tokens_; ++i) {
      column[i] = x_.data[(i * heads + head) * columns_ + c];
      sum += column[i];
    }
    const double middle = sum / static_cast<double>(tokens_);
    for (std::int64_t i = 0; i < tokens_; ++i) {
      column[i] -= middle;
      squares[i] += column[i] * column[i];
    }
  }
  double* described = described_.data() + head * size_;
  if (!by_tokens_) {
    std::copy_n(centred_.data(), size_, described);
  } else {
    std::fill_n(described, size_, 0.0);
    for (std::int64_t c = 0; c < columns_; ++c) {
      const double* column = centred_.data() + c * tokens_;
      for (std::int64_t cell = 0; cell < size_; ++cell) {
        described[cell] += column[cell / tokens_] * column[cell % tokens_];
      }
    }
  }
  own_[head] = independence(head, head);
}

// HSIC up to the factor that cancels: the sum of products of the centred kernels' entries, without
// the diagonal where it is debiased.
double HeadSimilarity::independence(std::int64_t a, std::int64_t b) const {
  const double* x = described_.data() + a * size_;
  const double* y = described_.data() + b * size_;
  double sum = 0.0;
  if (by_tokens_) {
    sum = dot(x, y, size_);
  } else {
    for (std::int64_t c = 0; c < columns_; ++c) {
      for (std::int64_t d = 0; d < columns_; ++d) {
        const double product = dot(x + c * tokens_, y + d * tokens_, tokens_);
        sum += product * product;
      }
    }
  }
  if (!debiased_) return sum;
  // The rows of a centred kernel sum to 0, so that without its diagonal k row i sums to -k_i.
  const double* k = squares_.data() + a * tokens_;
  const double* l = squares_.data() + b * tokens_;
  const auto n = static_cast<double>(tokens_);
  double total_k = 0.0;
  double total_l = 0.0;
  for (std::int64_t i = 0; i < tokens_; ++i) {
    total_k += k[i];
    total_l += l[i];
  }
  return sum - dot(k, l, tokens_) * n / (n - 2) + total_k * total_l / ((n - 1) * (n - 2));
}

Status HeadSimilarity::step(bool* done) {
  const std::int64_t place = next_++;
  if (place < heads) {
    describe(place);
  } else {
    const std::int64_t a = place - heads;
    for (std::int64_t b = a; b < heads; ++b) {
      const double scale = own_[a] > 0.0 && own_[b] > 0.0 ? std::sqrt(own_[a] * own_[b]) : 0.0;
      const double value = scale == 0.0 ? 0.0 : independence(a, b) / scale;
      similarity[a * heads + b] = similarity[b * heads + a] = static_cast<float>(value);
    }
  }
  *done = next_ == 2 * heads;
  return {};
}

}  // namespace headwise::analysis
