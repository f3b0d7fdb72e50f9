#include "headwise/analysis/minimiser.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/vectors.hpp"

namespace headwise::analysis {
namespace {

constexpr std::int64_t kMostSteps = 1000;
constexpr double kLeastGain = 1e-5;
constexpr double kNothing = 1e-12;
// Share of what the slope promises that a step must gain (Armijo).
constexpr double kEnough = 1e-4;
// Halvings after which there is nothing lower in a direction.
constexpr double kShortest = 0x1.0p-40;
// The first step goes so far, against the length of the point.
constexpr double kFirstStep = 0.1;

}  // namespace

Status Minimiser::create(std::int64_t most) {
  HEADWISE_RETURN_IF_ERROR(memory_.allocate((5 + 2 * kPairs) * most, "analysis"));
  double* next = memory_.data();
  for (double** each : {&point_, &gradient_, &best_, &best_gradient_, &direction_}) {
    *each = next;
    next += most;
  }
  moves_ = next;
  changes_ = next + kPairs * most;
  return {};
}

void Minimiser::begin(std::int64_t size) {
  size_ = size;
  step_count_ = pair_count_ = 0;
}

bool Minimiser::tell(double value) {
  if (step_count_ > 0 && !is_lower(value)) return shorten();
  if (step_count_ > 0) remember();
  std::copy_n(point_, size_, best_);
  std::copy_n(gradient_, size_, best_gradient_);
  value_ = value;
  double& earlier = values_[step_count_ % kPatience];
  const bool gains =
      step_count_ < kPatience || earlier - value > kLeastGain * std::fabs(value) + kNothing;
  earlier = value;
  return gains && ++step_count_ <= kMostSteps && turn();
}

// False also for NaN.
bool Minimiser::is_lower(double value) const { return value <= value_ + kEnough * step_ * slope_; }

// Half the step; where that ends, straight down once more.
bool Minimiser::shorten() {
  step_ /= 2.0;
  if (step_ < kShortest) {
    if (pair_count_ == 0) return false;
    pair_count_ = 0;
    return turn();
  }
  place();
  return true;
}

// The move and what it changed of the gradient, in place of the oldest pair.
void Minimiser::remember() {
  const std::int64_t slot = pair_count_ % kPairs;
  double* move = moves_ + slot * size_;
  double* change = changes_ + slot * size_;
  for (std::int64_t i = 0; i < size_; ++i) {
    move[i] = point_[i] - best_[i];
    change[i] = gradient_[i] - best_gradient_[i];
  }
  products_[slot] = dot(move, change, size_);
  // A function that bends the wrong way there teaches nothing.
  if (products_[slot] > 1e-12 * dot(change, change, size_)) ++pair_count_;
}

// A new direction: the gradient, as the pairs bend it. False where the gradient is nothing.
bool Minimiser::turn() {
  double factors[kPairs];
  double* to = direction_;
  for (std::int64_t i = 0; i < size_; ++i) to[i] = -best_gradient_[i];
  const double steepest = dot(to, to, size_);
  if (steepest == 0.0) return false;
  const std::int64_t oldest = std::max<std::int64_t>(0, pair_count_ - kPairs);
  for (std::int64_t pair = pair_count_ - 1; pair >= oldest; --pair) {
    const std::int64_t slot = pair % kPairs;
    factors[slot] = dot(moves_ + slot * size_, to, size_) / products_[slot];
    add_scaled(to, -factors[slot], changes_ + slot * size_, size_);
  }
  if (pair_count_ > 0) {
    const std::int64_t slot = (pair_count_ - 1) % kPairs;
    const double* change = changes_ + slot * size_;
    const double scale = products_[slot] / dot(change, change, size_);
    for (std::int64_t i = 0; i < size_; ++i) to[i] *= scale;
  }
  for (std::int64_t pair = oldest; pair < pair_count_; ++pair) {
    const std::int64_t slot = pair % kPairs;
    const double back = dot(changes_ + slot * size_, to, size_) / products_[slot];
    add_scaled(to, factors[slot] - back, moves_ + slot * size_, size_);
  }
  slope_ = dot(best_gradient_, to, size_);
  step_ = 1.0;
  if (pair_count_ == 0) {
    step_ = kFirstStep * std::sqrt(dot(best_, best_, size_) / steepest);
  }
  place();
  return true;
}

void Minimiser::place() {
  std::copy_n(best_, size_, point_);
  add_scaled(point_, step_, direction_, size_);
}

}  // namespace headwise::analysis
