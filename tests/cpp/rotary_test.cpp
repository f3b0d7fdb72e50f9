#include "headwise/rotary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "headwise/reference.hpp"
#include "support/random.hpp"

namespace headwise {
namespace {

using test::Random;

TEST(Rotary, MatchesTheReferenceInBothPairings) {
  Random random(1);
  constexpr std::int64_t kLength = 7;
  constexpr std::int64_t kHeadDim = 10;
  const std::vector<std::int32_t> positions = {0, 1, 5, 2, 1000, 3, 511};
  for (const bool interleaved : {false, true}) {
    for (const std::int64_t dim : {0, 2, 6, 10}) {
      const RotaryConfig config{.dim = dim, .interleaved = interleaved, .scaling = 2.0};
      std::vector<float> x = random.normals(kLength * kHeadDim);
      std::vector<double> expected(x.begin(), x.end());
      reference::rotary(config, kHeadDim, positions.data(), kLength, expected.data());
      RotaryTable table;
      ASSERT_TRUE(table.create(config, kHeadDim, positions.data(), 0, kLength).ok());
      table.rotate(Tensor<float, 4>::contiguous(x.data(), {1, 1, kLength, kHeadDim}));
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 5e-7);
    }
  }
}

TEST(Rotary, SlowPairsAreStretchedAsInLlama3) {
  Random random(4);
  constexpr std::int64_t kHeadDim = 64;
  const std::vector<std::int32_t> positions = {0, 1, 17, 255, 4000};
  const RotaryConfig config{.base = 500000.0,
                            .scaling = 8.0,
                            .original_positions = 256,
                            .low_frequency_factor = 1.0,
                            .high_frequency_factor = 4.0};
  std::vector<float> x = random.normals(5 * kHeadDim);
  std::vector<double> expected(x.begin(), x.end());
  reference::rotary(config, kHeadDim, positions.data(), 5, expected.data());
  RotaryTable table;
  ASSERT_TRUE(table.create(config, kHeadDim, positions.data(), 0, 5).ok());
  table.rotate(Tensor<float, 4>::contiguous(x.data(), {1, 1, 5, kHeadDim}));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-6);
}

TEST(Rotary, TurnsTheFirstPairByThePosition) {
  // base 10000, dim 4: pair 0 turns by the position, pair 1 by a hundredth of it.
  const std::int32_t position = 3;
  for (const bool interleaved : {false, true}) {
    std::vector<float> x = {1, 0, 0, 0};
    RotaryTable table;
    ASSERT_TRUE(table.create({.interleaved = interleaved}, 4, &position, 0, 1).ok());
    table.rotate(Tensor<float, 4>::contiguous(x.data(), {1, 1, 1, 4}));
    EXPECT_FLOAT_EQ(x[0], static_cast<float>(std::cos(3.0)));
    EXPECT_FLOAT_EQ(x[interleaved ? 1 : 2], static_cast<float>(std::sin(3.0)));
    x = interleaved ? std::vector<float>{0, 0, 1, 0} : std::vector<float>{0, 1, 0, 0};
    table.rotate(Tensor<float, 4>::contiguous(x.data(), {1, 1, 1, 4}));
    EXPECT_FLOAT_EQ(x[interleaved ? 2 : 1], static_cast<float>(std::cos(0.03)));
    EXPECT_FLOAT_EQ(x[3], static_cast<float>(std::sin(0.03)));
  }
}

TEST(Rotary, ScoresDependOnTheDistanceAlone) {
  Random random(2);
  const std::vector<float> q = random.normals(8);
  const std::vector<float> k = random.normals(8);
  const auto score = [&](std::int32_t query_position, std::int32_t key_position) {
    std::vector<float> a = q;
    std::vector<float> b = k;
    RotaryTable table;
    EXPECT_TRUE(table.create({}, 8, &query_position, 0, 1).ok());
    table.rotate(Tensor<float, 4>::contiguous(a.data(), {1, 1, 1, 8}));
    EXPECT_TRUE(table.create({}, 8, &key_position, 0, 1).ok());
    table.rotate(Tensor<float, 4>::contiguous(b.data(), {1, 1, 1, 8}));
    double sum = 0.0;
    for (std::size_t i = 0; i < 8; ++i) sum += static_cast<double>(a[i]) * b[i];
    return sum;
  };
  EXPECT_NEAR(score(9, 4), score(105, 100), 2e-6);
  EXPECT_GT(std::fabs(score(9, 4) - score(9, 5)), 1e-3);
}

TEST(Rotary, CountsOnFromTheFirstPosition) {
  Random random(3);
  const std::vector<float> x = random.normals(2 * 6);
  std::vector<float> a = x;
  std::vector<float> b = x;
  const std::vector<std::int32_t> positions = {40, 41};
  RotaryTable table;
  ASSERT_TRUE(table.create({}, 6, positions.data(), 0, 2).ok());
  table.rotate(Tensor<float, 4>::contiguous(a.data(), {1, 1, 2, 6}));
  ASSERT_TRUE(table.create({}, 6, nullptr, 40, 2).ok());
  table.rotate(Tensor<float, 4>::contiguous(b.data(), {1, 1, 2, 6}));
  EXPECT_EQ(a, b);
}

TEST(Rotary, JudgesItsConfig) {
  EXPECT_TRUE(validate(RotaryConfig{}, 8).ok());
  EXPECT_EQ(validate(RotaryConfig{}, 7).argument(), "rotary.dim");
  EXPECT_EQ(validate(RotaryConfig{.dim = 10}, 8).received(), "10");
  EXPECT_EQ(validate(RotaryConfig{.dim = -2}, 8).argument(), "rotary.dim");
  EXPECT_EQ(validate(RotaryConfig{.base = 0.0}, 8).argument(), "rotary.base");
  EXPECT_EQ(validate(RotaryConfig{.scaling = std::nan("")}, 8).argument(), "rotary.scaling");
  RotaryConfig slow{.original_positions = 8, .high_frequency_factor = 1.0};
  EXPECT_EQ(validate(slow, 8).argument(), "rotary.scaling.highFrequencyFactor");
  slow.original_positions = -1;
  EXPECT_EQ(validate(slow, 8).argument(), "rotary.scaling.originalPositions");
}

}  // namespace
}  // namespace headwise
