// 95 % intervals by the bootstrap (Efron 1979): the samples are drawn anew with replacement, as
// many as there are, again and again; the interval is what lies between the 2.5 and 97.5 %
// quantiles of the results (percentile method, quantiles interpolated linearly). One set of draws
// serves all columns, so that differences of columns are paired.
#pragma once

#include <cstdint>

#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::analysis {

class Bootstrap {
 public:
  // How often each of the samples comes in each draw, decided here once. "samples", "resamples".
  Status begin(std::int64_t samples, std::int64_t resamples, std::uint64_t seed);

  // Ratios of sums, one a column: values [rows, columns] over counts [rows]; row i belongs to
  // sample ids[i] (null: to sample i). What is pointed to stays until the last step. low, high
  // [columns]: NaN where no draw has a count.
  Status start(std::int64_t rows, std::int64_t columns, const std::int32_t* ids,
               const float* values, const float* counts, float* low, float* high);
  // Some of the draws, or at the end the quantiles.
  Status step(bool* done);

 private:
  void draw(std::int64_t resample);
  void find_quantiles();

  std::int64_t samples_ = 0, resamples_ = 0;
  Buffer<std::uint16_t> times_;  // [resamples, samples]: how often drawn
  std::int64_t rows_ = 0, columns_ = 0, next_ = 0;
  const std::int32_t* ids_ = nullptr;
  const float *values_ = nullptr, *counts_ = nullptr;
  float *low_ = nullptr, *high_ = nullptr;
  Buffer<float> sums_;    // [resamples, columns]: of values, then the ratios
  Buffer<float> totals_;  // [resamples]: of counts
  Buffer<float> sorted_;  // [resamples]
};

}  // namespace headwise::analysis
