// How well a head of dimension d_k can attend in a given pattern P [n, n]: queries and keys [n,
// d_k] with softmax(Q K^T / sqrt(d_k)) near P, for d_k = 1, 2, ... in turn.
//
// Minimised is the mean over the rows of KL(P_i || W_i), where the scores have a root mean square
// of at most `norm`: without that bound a thin head reaches nearly any sharp pattern, by scores
// beyond all measure. The problem is not convex. Of four starts (the fit with one dimension less,
// the truncated decomposition of log P, two random ones) the lowest end is kept, so the error never
// rises with d_k; it is what was found, an upper bound of what is possible.
#pragma once

#include <cstdint>
#include <optional>

#include "headwise/analysis/minimiser.hpp"
#include "headwise/analysis/singular_values.hpp"
#include "headwise/attention.hpp"

namespace headwise::analysis {

class LowRankFit {
 public:
  // pattern [n, n], rows of at least 0 that sum to 1; norm above 0; d_k from 1 to `most`, n by
  // default. "pattern", "norm", "maxHeadDim".
  Status begin(const TensorArgument& pattern, double norm, std::optional<std::int64_t> most,
               std::uint64_t seed);
  Status step(bool* done);

  std::int64_t size = 0, count = 0;  // n, and how many head dimensions
  // By d_k - 1; NaN until it is fitted.
  Buffer<float> divergence;     // [count]: mean of KL(P_i || W_i), in nats
  Buffer<float> largest_error;  // [count]: of a weight
  Buffer<float> norms;          // [count]: root mean square of the scores
  Buffer<float> weights;        // [count, n, n]
  // Balanced, in the axes of the singular vectors of Q K^T; zeros behind d_k.
  Buffer<float> queries, keys;  // [count, n, count]

 private:
  Status allocate();
  void read(const float* pattern);
  void start();
  double evaluate(const double* x, double* gradient);
  void choose_length();
  void attend(double length);
  Status keep();

  double norm_ = 0.0, entropy_ = 0.0, cost_ = 0.0;
  std::uint64_t seed_ = 0;
  std::int64_t head_dim_ = 0, start_ = 0;
  // What `attend` finds: the divergence at a length, and its derivatives by the length.
  double length_ = 0.0, value_ = 0.0, slope_ = 0.0, bend_ = 0.0;
  double best_value_ = 0.0;
  Buffer<double> memory_;       // of all that follows
  double* target_ = nullptr;    // [n, n]
  double* scores_ = nullptr;    // [n, n], of mean square 1
  double* attended_ = nullptr;  // [n, n]: the weights of scores of a length
  // Queries and keys, a dimension after the other: [d_k, 2, n]. One dimension less is a prefix.
  double* best_ = nullptr;
  Minimiser minimiser_;
  SingularValues logarithm_;  // of the pattern, its rows centred
};

}  // namespace headwise::analysis
