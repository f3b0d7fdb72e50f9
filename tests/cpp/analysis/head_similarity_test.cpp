#include "headwise/analysis/head_similarity.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "analysis/support.hpp"
#include "support/random.hpp"

namespace headwise::analysis {
namespace {

using test::finish;
using test::tensor;

TEST(HeadSimilarity, AgreesWithKernelsWrittenOut) {
  const test::GoldenCases golden;
  for (const std::string name : {"few", "many"}) {
    const std::string of = "cka." + name;
    const std::vector<float> x = golden.values(of + ".x");
    for (const bool debiased : {false, true}) {
      SCOPED_TRACE(testing::Message() << of << (debiased ? ".debiased" : ".plain"));
      HeadSimilarity cka;
      ASSERT_TRUE(cka.begin(tensor(x, golden.dims(of + ".x")), debiased).ok());
      finish(cka);
      test::expect_near(cka.similarity.data(),
                        golden.values(of + (debiased ? ".debiased" : ".plain")), 1e-6);
    }
  }
}

// [tokens, 2, columns]: a head beside another.
std::vector<float> beside(const std::vector<float>& first, const std::vector<float>& second,
                          std::int64_t columns) {
  std::vector<float> x;
  for (std::size_t i = 0; i < first.size(); i += static_cast<std::size_t>(columns)) {
    for (const auto* head : {&first, &second}) {
      const auto from = head->begin() + static_cast<std::ptrdiff_t>(i);
      x.insert(x.end(), from, from + columns);
    }
  }
  return x;
}

TEST(HeadSimilarity, DoesNotSeeRotationScaleOrShift) {
  test::Random random(6);
  for (const std::int64_t tokens : {5, 30}) {
    const std::vector<float> first = random.normals(tokens * 8);
    std::vector<float> second(first.size());
    for (std::size_t i = 0; i < first.size(); i += 8) {
      for (std::size_t c = 0; c < 8; ++c) second[i + c] = -3.0F * first[i + (c + 3) % 8] + 7.0F;
    }
    const std::vector<float> x = beside(first, second, 8);
    for (const bool debiased : {false, true}) {
      HeadSimilarity cka;
      ASSERT_TRUE(cka.begin(tensor(x, {1, tokens, 2, 8}), debiased).ok());
      finish(cka);
      for (std::int64_t i = 0; i < 4; ++i) EXPECT_NEAR(cka.similarity[i], 1.0F, 1e-5F);
    }
  }
}

TEST(HeadSimilarity, OfUncorrelatedHeadsIsZero) {
  const std::vector<float> first = {1, -1, 1, -1};
  const std::vector<float> second = {1, 1, -1, -1};
  const std::vector<float> x = beside(first, second, 1);
  HeadSimilarity cka;
  ASSERT_TRUE(cka.begin(tensor(x, {4, 2, 1}), false).ok());
  finish(cka);
  EXPECT_EQ(cka.similarity[1], 0.0F);
}

// The reason for the debiased estimate: noise looks alike where tokens are few.
TEST(HeadSimilarity, OfNoiseIsHighWhenPlainAndAboutZeroWhenDebiased) {
  test::Random random(7);
  double plain = 0.0;
  double debiased = 0.0;
  constexpr int kTrials = 40;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::vector<float> x = random.normals(std::int64_t{12} * 2 * 32);
    HeadSimilarity cka;
    ASSERT_TRUE(cka.begin(tensor(x, {12, 2, 32}), false).ok());
    finish(cka);
    plain += cka.similarity[1] / kTrials;
    ASSERT_TRUE(cka.begin(tensor(x, {12, 2, 32}), true).ok());
    finish(cka);
    debiased += cka.similarity[1] / kTrials;
  }
  EXPECT_GT(plain, 0.6);
  EXPECT_NEAR(debiased, 0.0, 0.05);
}

TEST(HeadSimilarity, WithAHeadThatNeverChangesIsZero) {
  const std::vector<float> first = {1, 2, 3, 5};
  const std::vector<float> x = beside(first, {4, 4, 4, 4}, 1);
  HeadSimilarity cka;
  ASSERT_TRUE(cka.begin(tensor(x, {4, 2, 1}), false).ok());
  finish(cka);
  EXPECT_EQ(cka.similarity[0], 1.0F);
  EXPECT_EQ(cka.similarity[1], 0.0F);
  EXPECT_EQ(cka.similarity[3], 0.0F);
}

TEST(HeadSimilarity, RefusesTooFewTokensAndWhatIsNoNumber) {
  std::vector<float> x(24, 1.0F);
  HeadSimilarity cka;
  EXPECT_EQ(cka.begin(tensor(x, {1, 6, 4}), false).expected(), "at least 2 tokens");
  EXPECT_EQ(cka.begin(tensor(x, {3, 4, 2}), true).expected(), "at least 4 tokens");
  EXPECT_EQ(cka.begin(tensor(x, {6, 4}), false).argument(), "x");
  x[7] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(cka.begin(tensor(x, {3, 4, 2}), false).received(), "-Infinity");
}

}  // namespace
}  // namespace headwise::analysis
