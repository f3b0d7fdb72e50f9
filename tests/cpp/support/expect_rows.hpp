// Row-wise comparison: the error counts relative to the largest finite magnitude of the expected
// row, so a row of zeros must be exactly zero, and NaN is right only where NaN is expected.
// Sums of unit-variance terms may cancel to almost nothing; `terms` is then what they are made of,
// and the error counts relative to it where the row itself is smaller.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headwise::test {

template <class Expected>
void expect_rows_near(const float* got, const Expected* expected, std::int64_t rows,
                      std::int64_t width, double tolerance, double terms = 0.0) {
  for (std::int64_t row = 0; row < rows; ++row) {
    double largest = 0.0;
    for (std::int64_t c = 0; c < width; ++c) {
      const double magnitude = std::fabs(static_cast<double>(expected[row * width + c]));
      if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
    }
    if (largest > 0.0) largest = std::max(largest, terms);
    for (std::int64_t c = 0; c < width; ++c) {
      const auto want = static_cast<double>(expected[row * width + c]);
      const double have = got[row * width + c];
      if (std::isfinite(want)) {
        ASSERT_LE(std::fabs(have - want), tolerance * largest)
            << "row " << row << " of " << rows << ", column " << c << ": " << have << " for "
            << want;
      } else if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(have)) << "row " << row << ", column " << c << ": " << have;
      } else {
        ASSERT_EQ(have, want) << "row " << row << ", column " << c;
      }
    }
  }
}

}  // namespace headwise::test
