// Principal angles between subspaces (Jordan 1875; computed after Bjorck and Golub 1973): the
// cosines are the singular values of Q_a^T Q_b for orthonormal bases Q. Two subspaces are the same
// when all angles are 0, orthogonal when all are 90 degrees.
#pragma once

#include <cstdint>

#include "headwise/analysis/singular_values.hpp"
#include "headwise/attention.hpp"

namespace headwise::analysis {

class PrincipalAngles {
 public:
  // a [Ha, D, Ra] and b [Hb, D, Rb], or one matrix [D, R] each: the spans of their columns. `b` not
  // given = every span of a with every other. "a", "b".
  Status begin(const TensorArgument& a, const TensorArgument& b);
  // A basis, or a row of pairs.
  Status step(bool* done);

  std::int64_t count_a = 0, count_b = 0, most = 0;  // most = min(Ra, Rb)
  // [Ha, Hb, most] radians, rising; NaN beyond the smaller rank of the two. Exact to 2e-8, for the
  // arc cosine loses half of the digits near 0; float32 input carries no more.
  Buffer<float> angles;
  Buffer<float> ranks_a, ranks_b;  // [Ha], [Hb]

 private:
  // Orthonormal bases of spans, as rows.
  struct Bases {
    TensorArgument from;
    std::int64_t count = 0, dimension = 0, columns = 0;
    Buffer<double> rows;  // [count, columns, dimension]
  };
  static Status measure(const TensorArgument& tensor, const char* argument, Bases* bases);
  Status make_basis(Bases* bases, std::int64_t place, Buffer<float>* ranks);
  Status compare(std::int64_t a, std::int64_t b);
  const Bases& others() const { return is_own_ ? a_ : b_; }
  const Buffer<float>& other_ranks() const { return is_own_ ? ranks_a : ranks_b; }

  bool is_own_ = false;  // a with itself
  std::int64_t next_ = 0;
  Bases a_, b_;
  SingularValues values_;
};

}  // namespace headwise::analysis
