#include "headwise/analysis/low_rank_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "analysis/support.hpp"
#include "support/random.hpp"

namespace headwise::analysis {
namespace {

using test::finish;
using test::tensor;

// weight(i, j), each row divided by its sum.
std::vector<float> pattern_of(std::int64_t n,
                              const std::function<double(std::int64_t, std::int64_t)>& weight) {
  std::vector<float> pattern(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < n; ++j) sum += weight(i, j);
    for (std::int64_t j = 0; j < n; ++j) {
      pattern[static_cast<std::size_t>(i * n + j)] = static_cast<float>(weight(i, j) / sum);
    }
  }
  return pattern;
}

std::vector<float> random_pattern(std::int64_t n, unsigned seed) {
  test::Random random(seed);
  const std::vector<float> normals = random.normals(n * n);
  return pattern_of(n, [&](std::int64_t i, std::int64_t j) {
    return std::exp(double{normals[static_cast<std::size_t>(i * n + j)]});
  });
}

std::vector<float> shift(std::int64_t n) {
  return pattern_of(n,
                    [n](std::int64_t i, std::int64_t j) { return j == (i + 1) % n ? 1.0 : 0.0; });
}

void fit(LowRankFit& result, const std::vector<float>& pattern, double norm,
         std::optional<std::int64_t> most = {}, std::uint64_t seed = 1) {
  const std::int64_t n = std::lround(std::sqrt(static_cast<double>(pattern.size())));
  ASSERT_TRUE(result.begin(tensor(pattern, {n, n}), norm, most, seed).ok());
  finish(result);
}

// Everything that is reported, computed anew in double precision from the queries and the keys.
struct Reference {
  double divergence = 0.0, largest_error = 0.0, norm = 0.0;
  std::vector<double> weights;
};
Reference attend(const LowRankFit& fit, std::int64_t head_dim, const std::vector<float>& pattern) {
  const std::int64_t n = fit.size;
  Reference result;
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<double> row(static_cast<std::size_t>(n));
    double sum = 0.0;
    for (std::int64_t j = 0; j < n; ++j) {
      double score = 0.0;
      for (std::int64_t c = 0; c < fit.count; ++c) {
        const std::int64_t at = (head_dim - 1) * n;
        score += double{fit.queries[(at + i) * fit.count + c]} * fit.keys[(at + j) * fit.count + c];
      }
      score /= std::sqrt(static_cast<double>(head_dim));
      result.norm += score * score / static_cast<double>(n * n);
      sum += row[static_cast<std::size_t>(j)] = std::exp(score);
    }
    for (std::int64_t j = 0; j < n; ++j) {
      const double weight = row[static_cast<std::size_t>(j)] / sum;
      const double wanted = pattern[static_cast<std::size_t>(i * n + j)];
      result.weights.push_back(weight);
      if (wanted > 0.0) {
        result.divergence += wanted * std::log(wanted / weight) / static_cast<double>(n);
      }
      result.largest_error = std::max(result.largest_error, std::fabs(weight - wanted));
    }
  }
  result.norm = std::sqrt(result.norm);
  return result;
}

TEST(LowRankFit, ReportsWhatItsQueriesAndKeysDo) {
  for (const std::int64_t n : {1, 2, 3, 5, 8, 13}) {
    for (const bool is_sharp : {false, true}) {
      const std::vector<float> pattern = is_sharp ? shift(n) : random_pattern(n, 7);
      LowRankFit result;
      fit(result, pattern, 4.0);
      ASSERT_EQ(result.count, n);
      for (std::int64_t d = 1; d <= n; ++d) {
        SCOPED_TRACE(testing::Message() << "n " << n << " d_k " << d << " sharp " << is_sharp);
        const Reference expected = attend(result, d, pattern);
        EXPECT_NEAR(result.divergence[d - 1], expected.divergence, 1e-5);
        EXPECT_NEAR(result.largest_error[d - 1], expected.largest_error, 1e-5);
        EXPECT_NEAR(result.norms[d - 1], expected.norm, 1e-5);
        EXPECT_LE(result.norms[d - 1], 4.0 + 1e-5);
        for (std::int64_t cell = 0; cell < n * n; ++cell) {
          ASSERT_NEAR(result.weights[(d - 1) * n * n + cell],
                      expected.weights[static_cast<std::size_t>(cell)], 1e-5);
        }
        for (std::int64_t c = d; c < n; ++c) {
          EXPECT_EQ(result.queries[(d - 1) * n * n + c], 0.0F);
          EXPECT_EQ(result.keys[(d - 1) * n * n + c], 0.0F);
        }
      }
    }
  }
}

// The logarithm of n^2 random weights, its rows centred, has rank n - 1.
TEST(LowRankFit, ARandomPatternTakesOneDimensionLessThanItsLength) {
  for (const std::int64_t n : {3, 6, 11}) {
    LowRankFit result;
    fit(result, random_pattern(n, 3), 4.0);
    EXPECT_LT(result.divergence[n - 2], 1e-9);
    EXPECT_LT(result.largest_error[n - 2], 1e-5);
    EXPECT_GT(result.divergence[n - 3], 1e-4);
  }
}

// Queries and keys on a circle: the scores of a row are a cosine around its key.
TEST(LowRankFit, AShiftTakesTwoDimensionsAndALargeNorm) {
  const std::int64_t n = 8;
  for (const double norm : {1.0, 4.0, 16.0}) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < n; ++j) {
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n);
      sum += std::exp(norm * std::numbers::sqrt2 * (std::cos(angle) - 1.0));
    }
    LowRankFit result;
    fit(result, shift(n), norm, 2);
    EXPECT_LE(result.divergence[1], std::log(sum) * 1.0001);
    EXPECT_GT(result.divergence[1], std::log(sum) * 0.7);
  }
}

// With n - 1 dimensions the problem is convex, and by symmetry the scores are a I + b.
TEST(LowRankFit, TheBestScoresOfAPermutationAreKnown) {
  const std::int64_t n = 9;
  const double norm = 1.5;
  const double gap = norm * static_cast<double>(n) / std::sqrt(static_cast<double>(n - 1));
  const double best = std::log1p(static_cast<double>(n - 1) * std::exp(-gap));
  for (const std::int64_t stride : {1, 2, 4}) {
    LowRankFit result;
    fit(result,
        pattern_of(n,
                   [&](std::int64_t i, std::int64_t j) { return j == i * stride % n ? 1.0 : 0.0; }),
        norm);
    EXPECT_NEAR(result.divergence[n - 2], best, 1e-4 * best);
    EXPECT_NEAR(result.divergence[n - 1], best, 1e-4 * best);
    EXPECT_NEAR(result.norms[n - 2], norm, 1e-6);
  }
}

TEST(LowRankFit, BlocksTakeOneDimensionLessThanThereAreBlocks) {
  const std::int64_t n = 12;
  const std::int64_t blocks = 3;
  const double norm = 2.0;
  const double gap = norm * blocks / std::sqrt(static_cast<double>(blocks - 1));
  const double best = std::log1p((blocks - 1) * std::exp(-gap));
  LowRankFit result;
  fit(result,
      pattern_of(n, [](std::int64_t i, std::int64_t j) { return i / 4 == j / 4 ? 1.0 : 0.0; }),
      norm, 4);
  EXPECT_NEAR(result.divergence[1], best, 1e-3 * best);
  EXPECT_GT(result.divergence[0], 2.0 * best);
}

TEST(LowRankFit, EqualWeightsTakeNothing) {
  LowRankFit result;
  fit(result, pattern_of(7, [](std::int64_t, std::int64_t) { return 1.0; }), 3.0);
  for (std::int64_t d = 0; d < 7; ++d) EXPECT_LT(result.divergence[d], 1e-9);
}

TEST(LowRankFit, NeverRisesWithTheHeadDimensionNorFallsShortOfALargerNorm) {
  const std::vector<float> pattern = random_pattern(9, 11);
  LowRankFit tight;
  fit(tight, pattern, 0.5);
  LowRankFit wide;
  fit(wide, pattern, 2.0);
  for (std::int64_t d = 0; d < 9; ++d) {
    EXPECT_LE(tight.divergence[d], tight.divergence[std::max<std::int64_t>(0, d - 1)]);
    EXPECT_LE(wide.divergence[d], tight.divergence[d] * 1.001);
  }
}

TEST(LowRankFit, KnowsNoOrderOfTheTokens) {
  const std::int64_t n = 8;
  const std::vector<float> pattern = random_pattern(n, 5);
  LowRankFit plain;
  fit(plain, pattern, 2.0);
  LowRankFit turned;
  fit(turned,
      pattern_of(n,
                 [&](std::int64_t i, std::int64_t j) {
                   return double{pattern[static_cast<std::size_t>((i * 3 % n) * n + j * 5 % n)]};
                 }),
      2.0);
  for (std::int64_t d = 0; d < n; ++d) {
    EXPECT_NEAR(turned.divergence[d], plain.divergence[d], 0.03 * plain.divergence[d] + 1e-6);
  }
}

TEST(LowRankFit, HasTheSameBitsForTheSameSeed) {
  const std::vector<float> pattern = random_pattern(6, 2);
  LowRankFit one;
  fit(one, pattern, 1.0, 3, 5);
  LowRankFit two;
  fit(two, pattern, 1.0, 3, 5);
  for (std::int64_t cell = 0; cell < one.weights.size(); ++cell) {
    ASSERT_EQ(one.weights[cell], two.weights[cell]);
  }
}

TEST(LowRankFit, RefusesWhatIsNoPattern) {
  LowRankFit result;
  std::vector<float> x = {0.5F, 0.5F, 0.25F, 0.75F};
  const auto refused = [&](std::initializer_list<std::int64_t> dims, double norm,
                           std::optional<std::int64_t> most = {}) {
    return result.begin(tensor(x, dims), norm, most, 1);
  };
  EXPECT_EQ(refused({4}, 1.0).argument(), "pattern");
  EXPECT_EQ(refused({1, 4}, 1.0).received(), "[1, 4]");
  EXPECT_EQ(refused({2, 2}, 0.0).argument(), "norm");
  EXPECT_EQ(refused({2, 2}, std::numeric_limits<double>::quiet_NaN()).received(), "NaN");
  EXPECT_EQ(refused({2, 2}, std::numeric_limits<double>::infinity()).argument(), "norm");
  EXPECT_EQ(refused({2, 2}, 1.0, 3).expected(), "1 to 2, the length of the pattern");
  EXPECT_EQ(refused({2, 2}, 1.0, 0).argument(), "maxHeadDim");
  x[3] = 0.5F;
  EXPECT_EQ(refused({2, 2}, 1.0).received(), "the sum 0.75");
  x[2] = -0.5F;
  EXPECT_EQ(refused({2, 2}, 1.0).received(), "-0.5");
  x[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refused({2, 2}, 1.0).received(), "NaN");
  x = {0.5F, 0.5F, 0.25F, 0.75F};
  EXPECT_TRUE(refused({2, 2}, 1.0).ok());
}

}  // namespace
}  // namespace headwise::analysis
