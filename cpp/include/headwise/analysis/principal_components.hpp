// Principal components: the directions in which rows vary most (Pearson 1901), from the singular
// values of the centred rows. No scaling of columns.
#pragma once

#include <cstdint>
#include <optional>

#include "headwise/analysis/singular_values.hpp"
#include "headwise/attention.hpp"

namespace headwise::analysis {

class PrincipalComponents {
 public:
  // x [S, D], at least 2 rows; `components` from 1 to min(S, D), all by default. "x", "components".
  Status begin(const TensorArgument& x, std::optional<std::int64_t> components);
  Status step(bool* done);

  // A component's sign: its entry farthest from zero is positive. One without variance has scores
  // of 0 and, where it cannot be told from others, zeros for entries.
  std::int64_t samples = 0, features = 0, count = 0;
  Buffer<float> scores;      // [S, count]: the rows in the new coordinates
  Buffer<float> components;  // [count, D], of length 1
  Buffer<float> mean;        // [D]
  Buffer<float> variance;    // [count], with S - 1 as divisor
  Buffer<float> ratio;       // [count]: the share of all variance; 0 where there is none

 private:
  double total_ = 0.0;  // the sum of squares
  SingularValues values_;
};

}  // namespace headwise::analysis
