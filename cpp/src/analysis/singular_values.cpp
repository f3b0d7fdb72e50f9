#include "headwise/analysis/singular_values.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/tensors.hpp"
#include "analysis/vectors.hpp"
#include "headwise/parallel.hpp"

namespace headwise::analysis {
namespace {

// Rows are orthogonal when their cosine is below this: above the rounding of long dot products.
constexpr double kOrthogonal = 1e-13;
// Dense matrices take 6 to 10 sweeps; the convergence is quadratic at the end.
constexpr std::int64_t kMostSweeps = 60;
// Rounds shorter than this are not worth waking threads for.
constexpr double kParallelCost = 1e5;

}  // namespace

Status SingularValues::create(std::int64_t m, std::int64_t n, bool vectors) {
  is_tall_ = m > n;
  count_ = std::min(m, n);
  length_ = std::max(m, n);
  round_ = sweep_ = 0;
  HEADWISE_RETURN_IF_ERROR(take({{&rows_, count_ * length_},
                                 {&turns_, vectors ? count_ * count_ : 0},
                                 {&values_, count_},
                                 {&signs_, count_},
                                 {&scales_, count_}}));
  std::fill_n(turns_.data(), turns_.size(), 0.0);
  for (std::int64_t i = 0; i < count_ && vectors; ++i) turns_[i * count_ + i] = 1.0;
  return order_.allocate(count_, "analysis");
}

// Turns rows a and b so that they become orthogonal; false when they are already.
bool SingularValues::turn_pair(std::int64_t a, std::int64_t b) {
  double* x = rows_.data() + a * length_;
  double* y = rows_.data() + b * length_;
  const double xx = dot(x, x, length_);
  const double yy = dot(y, y, length_);
  const double xy = dot(x, y, length_);
  if (std::min(xx, yy) <= negligible_ || std::fabs(xy) <= kOrthogonal * std::sqrt(xx * yy)) {
    return false;
  }
  const double cotangent = (yy - xx) / (2.0 * xy);  // of twice the angle
  const double tangent = std::copysign(1.0, cotangent) /
                         (std::fabs(cotangent) + std::sqrt(1.0 + cotangent * cotangent));
  const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
  rotate(x, y, length_, cosine, cosine * tangent);
  if (turns_.size() > 0) {
    rotate(turns_.data() + a * count_, turns_.data() + b * count_, count_, cosine,
           cosine * tangent);
  }
  return true;
}

// Every row meets every other once in a sweep of rounds, as in a tournament: row 0 keeps its seat,
// the others move on by one. The pairs of a round have no row in common.
void SingularValues::turn_round() {
  const std::int64_t seats = count_ + count_ % 2;
  const auto row_at = [&](std::int64_t seat) {
    return seat == 0 ? 0 : (seat - 1 + round_) % (seats - 1) + 1;
  };
  const auto meet = [&](std::int64_t seat, int) {
    const std::int64_t a = row_at(seat);
    const std::int64_t b = row_at(seats - 1 - seat);
    if (std::max(a, b) < count_ && turn_pair(a, b)) turned_ = true;
  };
  const std::int64_t pairs = seats / 2;
  if (static_cast<double>(pairs * length_) >= kParallelCost) return parallel_for(pairs, meet);
  for (std::int64_t seat = 0; seat < pairs; ++seat) meet(seat, 0);
}

Status SingularValues::step(bool* done) {
  const std::int64_t rounds = count_ + count_ % 2 - 1;
  if (round_ == 0 && sweep_ == 0) {
    // What rounding leaves of a row that depends on others.
    negligible_ = 1e-32 * dot(rows_.data(), rows_.data(), rows_.size());
  }
  double cost = 0.0;
  for (*done = false; !*done && cost < kSliceCost;) {
    if (round_ == 0) turned_ = false;
    if (count_ > 1) turn_round();
    cost += static_cast<double>(count_ * (3 * length_ + count_));
    if (++round_ < rounds) continue;
    round_ = 0;
    *done = !turned_;
    if (++sweep_ == kMostSweeps && !*done) {
      return {StatusCode::kInternal, "singular values", "convergence", "none"};
    }
  }
  if (*done) sort();
  return {};
}

Status SingularValues::finish() {
  for (bool done = false; !done;) HEADWISE_RETURN_IF_ERROR(step(&done));
  return {};
}

void SingularValues::sort() {
  double largest = 0.0;
  for (std::int64_t row = 0; row < count_; ++row) {
    const double* x = rows_.data() + row * length_;
    order_[row] = row;
    values_[row] = std::sqrt(dot(x, x, length_));
    largest = std::max(largest, values_[row]);
  }
  const double rounding = largest * static_cast<double>(length_) * 0x1.0p-52;
  for (std::int64_t row = 0; row < count_ && turns_.size() > 0; ++row) {
    const double* by = is_tall_ ? turns_.data() + row * count_ : rows_.data() + row * length_;
    signs_[row] = sign_of_largest(by, is_tall_ ? count_ : length_);
    scales_[row] = values_[row] <= rounding ? 0.0 : signs_[row] / values_[row];
  }
  // By insertion: sorted up to `row`, and equal values keep their order.
  for (std::int64_t row = 1; row < count_; ++row) {
    std::int64_t place = row;
    for (; place > 0 && values_[order_[place - 1]] < values_[row]; --place) {
      order_[place] = order_[place - 1];
    }
    order_[place] = row;
  }
}

std::int64_t SingularValues::rank() const {
  const double least = value(0) * static_cast<double>(length_) * 0x1.0p-23;
  std::int64_t rank = 0;
  while (rank < count_ && value(rank) > least) ++rank;
  return rank;
}

}  // namespace headwise::analysis
