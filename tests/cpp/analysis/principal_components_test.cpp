#include "headwise/analysis/principal_components.hpp"

#include <gtest/gtest.h>

#include "analysis/support.hpp"
#include "support/random.hpp"

namespace headwise::analysis {
namespace {

using test::expect_near;
using test::finish;
using test::tensor;

TEST(PrincipalComponents, AgreeWithTheEigenvectorsOfTheCovariance) {
  const test::GoldenCases golden;
  for (const std::string name : {"few", "many"}) {
    SCOPED_TRACE(name);
    const auto value = [&](const char* part) { return golden.values("pca." + name + "." + part); };
    const std::vector<float> x = value("x");
    PrincipalComponents pca;
    ASSERT_TRUE(pca.begin(tensor(x, golden.dims("pca." + name + ".x")), 4).ok());
    finish(pca);
    expect_near(pca.mean.data(), value("mean"), 1e-6);
    expect_near(pca.variance.data(), value("variance"), 5e-6);
    expect_near(pca.ratio.data(), value("ratio"), 1e-6);
    expect_near(pca.components.data(), value("components"), 1e-6);
    expect_near(pca.scores.data(), value("scores"), 5e-6);
  }
}

TEST(PrincipalComponents, OfALineHaveOneDirection) {
  std::vector<float> x;
  for (int i = 0; i < 6; ++i) {
    for (const float slope : {3.0F, 0.0F, -4.0F}) x.push_back(1.0F + slope * static_cast<float>(i));
  }
  PrincipalComponents pca;
  ASSERT_TRUE(pca.begin(tensor(x, {6, 3}), {}).ok());
  finish(pca);
  ASSERT_EQ(pca.count, 3);
  expect_near(pca.components.data(), {-0.6F, 0.0F, 0.8F}, 1e-6);
  EXPECT_NEAR(pca.ratio[0], 1.0F, 1e-6F);
  for (std::int64_t k = 1; k < 3; ++k) {
    EXPECT_NEAR(pca.variance[k], 0.0F, 1e-9F);
    for (std::int64_t i = 0; i < 6; ++i) EXPECT_NEAR(pca.scores[i * 3 + k], 0.0F, 1e-6F);
  }
}

TEST(PrincipalComponents, OfEqualRowsHaveNoVariance) {
  const std::vector<float> x = {1.0F, 2.0F, 1.0F, 2.0F, 1.0F, 2.0F};
  PrincipalComponents pca;
  ASSERT_TRUE(pca.begin(tensor(x, {3, 2}), {}).ok());
  finish(pca);
  for (std::int64_t k = 0; k < 2; ++k) {
    EXPECT_EQ(pca.variance[k], 0.0F);
    EXPECT_EQ(pca.ratio[k], 0.0F);
  }
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(pca.scores[i], 0.0F);
}

TEST(PrincipalComponents, RefuseOneRowAndMoreComponentsThanThereAre) {
  const std::vector<float> x(12);
  PrincipalComponents pca;
  EXPECT_EQ(pca.begin(tensor(x, {1, 12}), {}).argument(), "x");
  EXPECT_EQ(pca.begin(tensor(x, {2, 2, 3}), {}).argument(), "x");
  EXPECT_EQ(pca.begin(tensor(x, {4, 3}), 4).argument(), "components");
}

}  // namespace
}  // namespace headwise::analysis
