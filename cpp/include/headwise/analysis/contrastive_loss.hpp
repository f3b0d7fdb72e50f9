// The loss that sentence encoders are trained with: cross-entropy of finding the second sentence of
// a pair among those of all pairs (in-batch negatives, Henderson et al. 2017).
//
//   scores = scale * a b^T;  loss_i = -log softmax(scores_i)_i
#pragma once

#include <cstdint>

#include "headwise/attention.hpp"
#include "headwise/linear.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::analysis {

class ContrastiveLoss {
 public:
  // a, b [N, D], rows of length 1 where cosines are meant; a stays until the last step. "a", "b".
  Status begin(const TensorArgument& a, const TensorArgument& b, double scale);
  Status step(bool* done);  // some rows

  std::int64_t pairs = 0;
  Buffer<float> losses;  // [N], in nats
  Buffer<float>
      right;  // [N]: 1 where the pair's own score is the largest (the first of equal ones)

 private:
  TensorArgument a_;
  double scale_ = 1.0;
  std::int64_t next_ = 0;
  Linear candidates_;
  Buffer<float> scores_;  // some rows [_, N]
};

}  // namespace headwise::analysis
