#include "headwise/analysis/principal_angles.hpp"

#include <gtest/gtest.h>

#include "analysis/support.hpp"
#include "support/random.hpp"

namespace headwise::analysis {
namespace {

using test::finish;
using test::tensor;

constexpr double kRightAngle = 1.5707963267948966;

TEST(PrincipalAngles, AgreeWithNumPy) {
  const test::GoldenCases golden;
  const std::vector<float> a = golden.values("angles.a");
  const std::vector<float> b = golden.values("angles.b");
  PrincipalAngles angles;
  ASSERT_TRUE(
      angles.begin(tensor(a, golden.dims("angles.a")), tensor(b, golden.dims("angles.b"))).ok());
  finish(angles);
  ASSERT_EQ(angles.angles.size(), 3 * 2 * 4);
  test::expect_near(angles.angles.data(), golden.values("angles.ab"), 5e-7);
}

TEST(PrincipalAngles, AreZeroForOneSpanAndRightForOrthogonalOnes) {
  test::Random random(4);
  std::vector<float> a(std::int64_t{2} * 6 * 2);  // [2, 6, 2]: the first axes, then the next two
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t j = 0; j < 2; ++j) a[h * 12 + (2 * h + j) * 2 + j] = 1.0F;
  }
  std::vector<float> mixed(12);  // the span of the first, by other columns
  for (std::size_t j = 0; j < 4; ++j) mixed[j] = random.normal();
  PrincipalAngles angles;
  ASSERT_TRUE(angles.begin(tensor(a, {2, 6, 2}), tensor(mixed, {6, 2})).ok());
  finish(angles);
  for (std::int64_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(angles.angles[k], 0.0, 1e-7);
    EXPECT_NEAR(angles.angles[2 + k], kRightAngle, 1e-7);
  }
}

TEST(PrincipalAngles, OfEverySpanWithEveryOtherAreSymmetric) {
  test::Random random(5);
  const std::vector<float> a = random.normals(std::int64_t{4} * 20 * 3);
  PrincipalAngles own;
  PrincipalAngles twice;
  ASSERT_TRUE(own.begin(tensor(a, {4, 20, 3}), {}).ok());
  ASSERT_TRUE(twice.begin(tensor(a, {4, 20, 3}), tensor(a, {4, 20, 3})).ok());
  finish(own);
  finish(twice);
  for (std::int64_t i = 0; i < own.angles.size(); ++i) {
    EXPECT_NEAR(own.angles[i], twice.angles[i], 1e-7);
  }
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(own.ranks_b[i], 3.0F);
}

TEST(PrincipalAngles, LeaveOutWhatASpanLacks) {
  std::vector<float> a = {1, 1, 0, 0, 0, 0, 0, 0};  // [2, 4, 1]: a vector, and nothing
  a.resize(8);
  const std::vector<float> b = {1, 2, 0, 0, 0, 0, 1, 2};  // [4, 2], both columns alike
  PrincipalAngles angles;
  ASSERT_TRUE(angles.begin(tensor(a, {2, 4, 1}), tensor(b, {4, 2})).ok());
  finish(angles);
  EXPECT_EQ(angles.ranks_a[0], 1.0F);
  EXPECT_EQ(angles.ranks_a[1], 0.0F);
  EXPECT_EQ(angles.ranks_b[0], 1.0F);
  EXPECT_NEAR(angles.angles[0], kRightAngle * 2 / 3, 1e-7);
  EXPECT_TRUE(std::isnan(angles.angles[1]));
}

TEST(PrincipalAngles, RefuseSpansOfDifferentSpaces) {
  const std::vector<float> x(24);
  PrincipalAngles angles;
  EXPECT_EQ(angles.begin(tensor(x, {6, 4}), tensor(x, {8, 3})).argument(), "b");
  EXPECT_EQ(angles.begin(tensor(x, {24}), {}).argument(), "a");
}

}  // namespace
}  // namespace headwise::analysis
