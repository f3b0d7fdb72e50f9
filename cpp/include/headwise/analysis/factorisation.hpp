// A matrix as a sum of as few terms as wanted: the singular value decomposition, cut off after
// `rank` terms, is the nearest matrix of that rank (Eckart and Young 1936).
#pragma once

#include <cstdint>
#include <optional>

#include "headwise/analysis/singular_values.hpp"
#include "headwise/attention.hpp"

namespace headwise::analysis {

class Factorisation {
 public:
  // x [M, N]; rank from 1 to min(M, N), all by default. "x", "rank".
  Status begin(const TensorArgument& x, std::optional<std::int64_t> rank);
  Status step(bool* done);

  std::int64_t terms = 0;
  Buffer<float> u;   // [M, terms]
  Buffer<float> s;   // [min(M, N)]: all singular values, by falling value
  Buffer<float> vh;  // [terms, N]

 private:
  std::int64_t rows_ = 0, columns_ = 0;
  SingularValues values_;
};

}  // namespace headwise::analysis
