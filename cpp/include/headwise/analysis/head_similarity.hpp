// How alike heads are in what they do to the same tokens: linear centred kernel alignment (CKA,
// Kornblith et al. 2019) of their outputs, every head with every other.
//
//   CKA(X, Y) = HSIC(X X^T, Y Y^T) / sqrt(HSIC(X X^T, X X^T) HSIC(Y Y^T, Y Y^T))
//
// 1 for outputs that agree up to rotation and one scale, 0 for uncorrelated ones. With fewer tokens
// than columns the plain estimate is near 1 for any two heads; the debiased one (HSIC_1 of Song et
// al. 2012) has no such floor, and may be a little below 0.
#pragma once

#include <cstdint>

#include "headwise/attention.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::analysis {

class HeadSimilarity {
 public:
  // x [..., H, D]: the axes before are the tokens, S of them together; at least 2, debiased 4. "x".
  Status begin(const TensorArgument& x, bool debiased);
  // A head, or a row of pairs.
  Status step(bool* done);

  std::int64_t heads = 0;
  Buffer<float> similarity;  // [H, H]; 0 with a head whose output never changes

 private:
  void describe(std::int64_t head);
  double independence(std::int64_t a, std::int64_t b) const;

  TensorArgument x_;
  bool debiased_ = false, by_tokens_ = false;
  std::int64_t tokens_ = 0, columns_ = 0, size_ = 0, next_ = 0;
  // What HSIC needs of a head: by tokens its kernel [S, S], else its centred output as [D, S].
  Buffer<double> described_;  // [H, size]
  Buffer<double> centred_;    // [D, S] of the head at hand
  Buffer<double> squares_;    // [H, S]: the kernel's diagonal
  Buffer<double> own_;        // [H]: HSIC with itself
};

}  // namespace headwise::analysis
