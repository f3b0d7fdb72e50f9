#include "headwise/analysis/factorisation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "analysis/support.hpp"
#include "support/random.hpp"

namespace headwise::analysis {
namespace {

using test::finish;
using test::tensor;

std::vector<double> product(const Factorisation& f, std::int64_t m, std::int64_t n) {
  std::vector<double> result(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < f.terms; ++k) {
        sum += double{f.u[i * f.terms + k]} * f.s[k] * f.vh[k * n + j];
      }
      result[static_cast<std::size_t>(i * n + j)] = sum;
    }
  }
  return result;
}

// Largest difference of the rows' products to those of an orthonormal set.
double skewness(const float* rows, std::int64_t count, std::int64_t length, std::int64_t step,
                std::int64_t stride) {
  double worst = 0.0;
  for (std::int64_t a = 0; a < count; ++a) {
    for (std::int64_t b = 0; b <= a; ++b) {
      double sum = 0.0;
      for (std::int64_t i = 0; i < length; ++i) {
        sum += double{rows[a * step + i * stride]} * rows[b * step + i * stride];
      }
      worst = std::max(worst, std::fabs(sum - (a == b ? 1.0 : 0.0)));
    }
  }
  return worst;
}

TEST(Factorisation, MultipliesBackToTheMatrixAtEveryShape) {
  test::Random random(1);
  for (const std::int64_t m : {1, 2, 3, 7, 16, 33}) {
    for (const std::int64_t n : {1, 2, 5, 8, 16, 40}) {
      SCOPED_TRACE(testing::Message() << m << " x " << n);
      const std::vector<float> x = random.normals(m * n);
      Factorisation f;
      ASSERT_TRUE(f.begin(tensor(x, {m, n}), {}).ok());
      finish(f);
      ASSERT_EQ(f.terms, std::min(m, n));
      const std::vector<double> again = product(f, m, n);
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(again[i], x[i], 2e-5);
      EXPECT_LT(skewness(f.u.data(), f.terms, m, 1, f.terms), 1e-6);
      EXPECT_LT(skewness(f.vh.data(), f.terms, n, n, 1), 1e-6);
      EXPECT_TRUE(std::is_sorted(f.s.data(), f.s.data() + f.s.size(), std::greater<>()));
    }
  }
}

TEST(Factorisation, AgreesWithNumPy) {
  const test::GoldenCases golden;
  for (const std::string name : {"tall", "wide", "square", "graded"}) {
    SCOPED_TRACE(name);
    const std::string of = "svd." + name;
    const std::vector<float> x = golden.values(of + ".x");
    Factorisation f;
    ASSERT_TRUE(f.begin(tensor(x, golden.dims(of + ".x")), {}).ok());
    finish(f);
    const std::vector<float> expected = golden.values(of + ".s");
    for (std::size_t k = 0; k < expected.size(); ++k) {
      // Relative to each value: small ones are as exact as large ones.
      ASSERT_NEAR(f.s[static_cast<std::int64_t>(k)], expected[k], 3e-7 * expected[k]);
    }
  }
}

TEST(Factorisation, CutOffIsTheNearestMatrixOfItsRank) {
  const test::GoldenCases golden;
  for (const std::string name : {"tall", "wide", "square"}) {
    const std::vector<float> x = golden.values("svd." + name + ".x");
    const auto dims = golden.dims("svd." + name + ".x");
    Factorisation f;
    ASSERT_TRUE(f.begin(tensor(x, dims), 3).ok());
    finish(f);
    ASSERT_EQ(f.terms, 3);
    const std::vector<double> got = product(f, dims[0], dims[1]);
    const std::vector<float> expected = golden.values("svd." + name + ".rank3");
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 3e-6);
  }
}

TEST(Factorisation, OfDependentRowsHasZerosBehindItsRank) {
  test::Random random(2);
  std::vector<float> x = random.normals(std::int64_t{9} * 5);
  for (std::size_t j = 0; j < 5; ++j) {  // the last rows repeat the first two
    for (std::size_t i = 2; i < 9; ++i) x[i * 5 + j] = x[(i % 2) * 5 + j];
  }
  Factorisation f;
  ASSERT_TRUE(f.begin(tensor(x, {9, 5}), {}).ok());
  finish(f);
  EXPECT_GT(f.s[1], 0.1F);
  for (std::int64_t k = 2; k < 5; ++k) {
    EXPECT_LT(f.s[k], 1e-6F * f.s[0]);
    for (std::int64_t i = 0; i < 9; ++i) EXPECT_EQ(f.u[i * 5 + k], 0.0F);
  }
  const std::vector<double> again = product(f, 9, 5);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(again[i], x[i], 1e-5);
}

TEST(Factorisation, OfZerosIsZeros) {
  const std::vector<float> x(12);
  Factorisation f;
  ASSERT_TRUE(f.begin(tensor(x, {3, 4}), {}).ok());
  finish(f);
  for (std::int64_t k = 0; k < 3; ++k) EXPECT_EQ(f.s[k], 0.0F);
  for (const double value : product(f, 3, 4)) EXPECT_EQ(value, 0.0);
}

TEST(Factorisation, TakesTheLargestAndSmallestFloats) {
  for (const float scale : {1e38F, 1e-42F}) {
    const std::vector<float> x = {scale, 0.0F, scale, 2.0F * scale};
    Factorisation f;
    ASSERT_TRUE(f.begin(tensor(x, {2, 2}), {}).ok());
    finish(f);
    EXPECT_NEAR(f.s[0] / scale, 2.2882456F, 2e-3F);
    EXPECT_NEAR(f.s[1] / scale, 0.8740321F, 2e-3F);
  }
}

TEST(Factorisation, IsTheSameWithTheRowsOfALargeMatrixTurnedInParallel) {
  test::Random random(3);
  const std::vector<float> x = random.normals(std::int64_t{96} * 2100);
  Factorisation f;
  ASSERT_TRUE(f.begin(tensor(x, {96, 2100}), 4).ok());
  finish(f);
  double squares = 0.0;
  for (std::int64_t k = 0; k < 96; ++k) squares += double{f.s[k]} * f.s[k];
  double expected = 0.0;
  for (const float value : x) expected += double{value} * value;
  EXPECT_NEAR(squares / expected, 1.0, 1e-6);
  EXPECT_LT(skewness(f.vh.data(), 4, 2100, 2100, 1), 1e-6);
}

TEST(Factorisation, RefusesWhatIsNoMatrixOfNumbers) {
  Factorisation f;
  std::vector<float> x(6);
  EXPECT_EQ(f.begin(tensor(x, {6}), {}).argument(), "x");
  EXPECT_EQ(f.begin(tensor(x, {0, 6}), {}).argument(), "x");
  EXPECT_EQ(f.begin(tensor(x, {2, 3}), 0).argument(), "rank");
  const Status status = f.begin(tensor(x, {2, 3}), 3);
  EXPECT_EQ(status.expected(), "1 to 2, the shorter side of x");
  x[4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(f.begin(tensor(x, {2, 3}), {}).received(), "NaN");
  x[4] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(f.begin(tensor(x, {2, 3}), {}).expected(), "finite numbers");
}

}  // namespace
}  // namespace headwise::analysis
