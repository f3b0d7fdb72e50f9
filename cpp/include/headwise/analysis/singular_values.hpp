// Singular value decomposition A = U diag(s) V^T by one-sided Jacobi rotations (Hestenes 1958):
// pairs of rows of the shorter side are turned until all are orthogonal. In double precision; it
// needs no bound on the condition of A, and finds small singular values as exactly as large ones.
// Only the min(M, N) terms that can be nonzero ("thin").
#pragma once

#include <atomic>
#include <cstdint>

#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::analysis {

class SingularValues {
 public:
  // Takes the memory for A [m, n], both at least 1, whose entries are undefined until set. Without
  // vectors only values and rank can be asked for.
  Status create(std::int64_t m, std::int64_t n, bool vectors);
  double& entry(std::int64_t i, std::int64_t j) {
    return is_tall_ ? rows_[j * length_ + i] : rows_[i * length_ + j];
  }

  // A slice of some 10 ms; `done` tells whether that was all. Entries are finite by then.
  Status step(bool* done);
  Status finish();

  std::int64_t count() const { return count_; }
  // By falling value. A vector's sign is that of `right`: its largest entry is positive.
  double value(std::int64_t k) const { return values_[order_[k]]; }
  // Values above the rounding of float32 input: max(m, n) * 2^-23 of the largest, as NumPy has it.
  std::int64_t rank() const;
  // Column k of U and row k of V^T. On the longer side the vector of a value of 0 (up to rounding)
  // is zeros.
  double left(std::int64_t i, std::int64_t k) const {
    return is_tall_ ? long_entry(k, i) : short_entry(k, i);
  }
  double right(std::int64_t k, std::int64_t j) const {
    return is_tall_ ? short_entry(k, j) : long_entry(k, j);
  }

 private:
  double long_entry(std::int64_t k, std::int64_t i) const {
    return scales_[order_[k]] * rows_[order_[k] * length_ + i];
  }
  double short_entry(std::int64_t k, std::int64_t i) const {
    return signs_[order_[k]] * turns_[order_[k] * count_ + i];
  }
  void turn_round();
  bool turn_pair(std::int64_t a, std::int64_t b);
  void sort();

  bool is_tall_ = false;  // then the rows are columns of A
  std::int64_t count_ = 0, length_ = 0;
  std::int64_t round_ = 0, sweep_ = 0;
  double negligible_ = 0.0;           // squared length of a row that counts as zero
  std::atomic<bool> turned_ = false;  // something was, in this sweep
  Buffer<double> rows_;               // [count, length]: becomes s times the long side's vectors
  Buffer<double> turns_;              // [count, count]: the short side's vectors, or nothing
  Buffer<double> values_;             // [count], by row
  Buffer<double> signs_, scales_;     // [count], of the vectors, by row
  Buffer<std::int64_t> order_;        // [count]: rows by falling value
};

}  // namespace headwise::analysis
