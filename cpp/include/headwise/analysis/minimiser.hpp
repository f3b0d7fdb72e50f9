// The minimum of a smooth function by L-BFGS (Liu and Nocedal 1989) with a backtracking line
// search. It asks rather than calls: value and gradient are wanted at `point`, and `tell` takes
// them. Leaves out bounds and constraints.
#pragma once

#include <cstdint>

#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::analysis {

class Minimiser {
 public:
  // Memory for functions of up to `most` variables.
  Status create(std::int64_t most);

  // A new search from a point that is written into `point`.
  void begin(std::int64_t size);
  double* point() { return point_; }
  double* gradient() { return gradient_; }
  // Takes the value at `point`, whose gradient stands in `gradient`. False when the search is over:
  // 20 steps together gained less than a hundred-thousandth of the value (or 1e-12), nothing lower
  // was found along the gradient, or 1000 steps were taken.
  bool tell(double value);

  const double* best() const { return best_; }
  double value() const { return value_; }

 private:
  static constexpr std::int64_t kPairs = 8;
  static constexpr std::int64_t kPatience = 20;

  bool is_lower(double value) const;
  bool shorten();
  void remember();
  bool turn();
  void place();

  std::int64_t size_ = 0, step_count_ = 0, pair_count_ = 0;
  double value_ = 0.0, slope_ = 0.0, step_ = 0.0;
  double values_[kPatience] = {};                      // of the last steps
  double products_[kPairs] = {};                       // of each pair
  Buffer<double> memory_;                              // of all that follows
  double *point_ = nullptr, *gradient_ = nullptr;      // where something is wanted
  double *best_ = nullptr, *best_gradient_ = nullptr;  // the lowest point so far
  double* direction_ = nullptr;                        // from there
  double *moves_ = nullptr, *changes_ = nullptr;       // pairs of moves and what they changed
};

}  // namespace headwise::analysis
