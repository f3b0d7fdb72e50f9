#include "analysis/vectors.hpp"

#include <cmath>

namespace headwise::analysis {

// Four sums side by side, for the latency of one addition is that of four.
double dot(const double* x, const double* y, std::int64_t length) {
  double sums[4] = {};
  std::int64_t i = 0;
  for (; i + 4 <= length; i += 4) {
    for (int lane = 0; lane < 4; ++lane) sums[lane] += x[i + lane] * y[i + lane];
  }
  for (; i < length; ++i) sums[0] += x[i] * y[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void add_scaled(double* __restrict y, double factor, const double* __restrict x,
                std::int64_t length) {
  for (std::int64_t i = 0; i < length; ++i) y[i] += factor * x[i];
}

void rotate(double* __restrict x, double* __restrict y, std::int64_t length, double cosine,
            double sine) {
  for (std::int64_t i = 0; i < length; ++i) {
    const double before = x[i];
    x[i] = cosine * before - sine * y[i];
    y[i] = sine * before + cosine * y[i];
  }
}

double sign_of_largest(const double* x, std::int64_t length) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < length; ++i) {
    if (std::fabs(x[i]) > std::fabs(largest)) largest = x[i];
  }
  return largest < 0.0 ? -1.0 : 1.0;
}

}  // namespace headwise::analysis
