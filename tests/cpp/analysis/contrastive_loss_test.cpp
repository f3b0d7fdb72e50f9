#include "headwise/analysis/contrastive_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/support.hpp"
#include "headwise/analysis/bootstrap.hpp"

namespace headwise::analysis {
namespace {

using test::finish;
using test::tensor;

TEST(ContrastiveLoss, AgreesWithNumPy) {
  const test::GoldenCases golden("roles/cases");
  const std::vector<float> a = golden.values("contrastive.a");
  const std::vector<float> b = golden.values("contrastive.b");
  ContrastiveLoss loss;
  const auto dims = golden.dims("contrastive.a");
  ASSERT_TRUE(loss.begin(tensor(a, dims), tensor(b, dims), 5.0).ok());
  finish(loss);
  test::expect_near(loss.losses.data(), golden.values("contrastive.losses"), 3e-6);
  test::expect_near(loss.right.data(), golden.values("contrastive.right"), 0.0);

  const std::vector<float> ones(static_cast<std::size_t>(loss.pairs), 1.0F);
  const std::vector<float> interval = golden.values("contrastive.interval");
  float low = 0.0F;
  float high = 0.0F;
  Bootstrap bootstrap;
  ASSERT_TRUE(bootstrap.begin(loss.pairs, 200, 3).ok());
  ASSERT_TRUE(
      bootstrap.start(loss.pairs, 1, nullptr, loss.losses.data(), ones.data(), &low, &high).ok());
  finish(bootstrap);
  EXPECT_NEAR(low, interval[0], 3e-6);
  EXPECT_NEAR(high, interval[1], 3e-6);
}

TEST(ContrastiveLoss, OfEqualSentencesIsTheLogarithmOfTheirNumber) {
  const std::vector<float> x = {1, 0, 1, 0, 1, 0};
  ContrastiveLoss loss;
  ASSERT_TRUE(loss.begin(tensor(x, {3, 2}), tensor(x, {3, 2}), 20.0).ok());
  finish(loss);
  for (std::int64_t i = 0; i < 3; ++i) EXPECT_NEAR(loss.losses[i], std::log(3.0), 1e-6);
  EXPECT_EQ(loss.right[0], 1.0F);  // of equal ones the first
  EXPECT_EQ(loss.right[1], 0.0F);
}

TEST(ContrastiveLoss, RefusesWhatDoesNotFitAndWhatIsNoNumber) {
  std::vector<float> x = {1, 0, 1, 0, 1, 0};
  ContrastiveLoss loss;
  EXPECT_EQ(loss.begin(tensor(x, {3, 2}), tensor(x, {2, 3}), 1.0).argument(), "b");
  EXPECT_EQ(loss.begin(tensor(x, {6}), tensor(x, {6}), 1.0).argument(), "a");
  x[4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(loss.begin(tensor(x, {3, 2}), tensor(x, {3, 2}), 1.0).argument(), "a");
}

}  // namespace
}  // namespace headwise::analysis
