#include "headwise/analysis/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "analysis/support.hpp"

namespace headwise::analysis {
namespace {

struct Interval {
  std::vector<float> low, high;
};

Interval intervals(const std::vector<float>& values, std::int64_t rows, std::int64_t resamples,
                   std::uint64_t seed, const std::vector<float>& counts) {
  const std::int64_t columns = static_cast<std::int64_t>(values.size()) / rows;
  Interval result;
  result.low.resize(static_cast<std::size_t>(columns));
  result.high.resize(static_cast<std::size_t>(columns));
  Bootstrap bootstrap;
  EXPECT_TRUE(bootstrap.begin(rows, resamples, seed).ok());
  EXPECT_TRUE(bootstrap
                  .start(rows, columns, nullptr, values.data(), counts.data(), result.low.data(),
                         result.high.data())
                  .ok());
  test::finish(bootstrap);
  return result;
}

TEST(Bootstrap, OfEqualSamplesHasNoWidth) {
  const Interval got = intervals({2, 3, 2, 3, 2, 3}, 3, 50, 1, {4, 4, 4});
  EXPECT_EQ(got.low, (std::vector<float>{0.5F, 0.75F}));
  EXPECT_EQ(got.high, got.low);
}

// The mean of n numbers has a standard error of sd / sqrt(n), and 95 % lie within 1.96 of it.
TEST(Bootstrap, IsAsWideAsTheStandardErrorSays) {
  constexpr std::int64_t kRows = 400;
  std::vector<float> values;
  for (std::int64_t i = 0; i < kRows; ++i) values.push_back(static_cast<float>(i % 20));
  const std::vector<float> ones(kRows, 1.0F);
  const Interval got = intervals(values, kRows, 4000, 2, ones);
  const double error = std::sqrt((400.0 - 1.0) / 12.0) / 20.0;
  EXPECT_NEAR(got.low[0], 9.5 - 1.96 * error, 0.1 * error);
  EXPECT_NEAR(got.high[0], 9.5 + 1.96 * error, 0.1 * error);
}

TEST(Bootstrap, TheSameSeedGivesTheSameAndAnotherAnother) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7};
  const std::vector<float> ones(7, 1.0F);
  EXPECT_EQ(intervals(values, 7, 99, 3, ones).low, intervals(values, 7, 99, 3, ones).low);
  EXPECT_NE(intervals(values, 7, 99, 3, ones).low, intervals(values, 7, 99, 4, ones).low);
}

TEST(Bootstrap, DrawsWithoutACountAreLeftOut) {
  const Interval some = intervals({1, 0, 0}, 3, 100, 5, {1, 0, 0});
  EXPECT_EQ(some.low[0], 1.0F);
  EXPECT_EQ(some.high[0], 1.0F);
  EXPECT_TRUE(std::isnan(intervals({0, 0}, 2, 10, 5, {0, 0}).low[0]));
}

TEST(Bootstrap, RefusesNoDrawsAndFarTooMany) {
  Bootstrap bootstrap;
  EXPECT_EQ(bootstrap.begin(3, 0, 0).argument(), "resamples");
  EXPECT_EQ(bootstrap.begin(3, std::int64_t{1} << 40, 0).argument(), "resamples");
}

}  // namespace
}  // namespace headwise::analysis
