#include "headwise/intervention.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random.hpp"

namespace headwise {
namespace {

constexpr std::int64_t kBatch = 2;
constexpr std::int64_t kHeads = 3;
constexpr std::int64_t kLength = 5;
constexpr std::int64_t kDim = 4;

struct Heads {  // z as a run has it: [B, S, H, D] in memory, seen as [B, H, S, D]
  std::vector<float> data;

  explicit Heads(std::uint64_t seed) {
    test::Random random(seed);
    data = random.normals(kBatch * kHeads * kLength * kDim);
  }
  Tensor<float, 4> view() {
    return {data.data(),
            {kBatch, kHeads, kLength, kDim},
            {kLength * kHeads * kDim, kDim, kHeads * kDim, 1}};
  }
};

Intervention of(InterventionKind kind, std::optional<std::int64_t> head) {
  Intervention intervention;
  intervention.name = "blocks.0.attn.hook_z";
  intervention.head = head;
  intervention.kind = kind;
  return intervention;
}

Status judge(const Intervention& intervention) {
  return validate(intervention, kBatch, kLength, kHeads, kDim);
}

// Applies and checks that other heads keep their values.
void apply_to_head_1(const Intervention& intervention, Heads* heads,
                     const std::uint8_t* key_mask = nullptr) {
  Heads before = *heads;
  ASSERT_TRUE(judge(intervention).ok());
  apply(intervention, heads->view(), key_mask);
  for (std::int64_t b = 0; b < kBatch; ++b) {
    for (const std::int64_t h : {0, 2}) {
      for (std::int64_t i = 0; i < kLength; ++i) {
        for (std::int64_t d = 0; d < kDim; ++d) {
          EXPECT_EQ(*heads->view().at(b, h, i, d), *before.view().at(b, h, i, d));
        }
      }
    }
  }
}

TEST(Intervention, ZeroSilencesOneHeadOrAll) {
  Heads heads(1);
  heads.view().at(0, 1, 0)[0] = std::nanf("");
  apply_to_head_1(of(InterventionKind::kZero, 1), &heads);
  for (std::int64_t i = 0; i < kLength; ++i) EXPECT_EQ(heads.view().at(1, 1, i)[2], 0.0F);
  EXPECT_EQ(heads.view().at(0, 1, 0)[0], 0.0F);
  apply(of(InterventionKind::kZero, {}), heads.view(), nullptr);
  EXPECT_EQ(heads.data, std::vector<float>(heads.data.size(), 0.0F));
}

TEST(Intervention, ValuesForOneHeadWithAndWithoutBatch) {
  test::Random random(2);
  const std::vector<float> values = random.normals(kBatch * kLength * kDim);
  Intervention intervention = of(InterventionKind::kValues, 1);
  intervention.values = values.data();
  intervention.rank = 3;
  intervention.dims = {kBatch, kLength, kDim};
  Heads heads(3);
  apply_to_head_1(intervention, &heads);
  EXPECT_EQ(heads.view().at(1, 1, 2)[3],
            values[static_cast<std::size_t>(kLength * kDim + 2 * kDim + 3)]);
  intervention.rank = 2;
  intervention.dims = {kLength, kDim};
  apply_to_head_1(intervention, &heads);
  EXPECT_EQ(heads.view().at(1, 1, 2)[3], values[2 * kDim + 3]);
}

TEST(Intervention, ValuesAndMeanForAllHeads) {
  test::Random random(4);
  const std::vector<float> values = random.normals(kBatch * kLength * kHeads * kDim);
  Intervention intervention = of(InterventionKind::kValues, {});
  intervention.values = values.data();
  intervention.rank = 4;
  intervention.dims = {kBatch, kLength, kHeads, kDim};
  ASSERT_TRUE(judge(intervention).ok());
  Heads heads(5);
  apply(intervention, heads.view(), nullptr);
  EXPECT_EQ(heads.data, values);  // the tensor has z's own order

  intervention.kind = InterventionKind::kMean;
  intervention.rank = 2;
  intervention.dims = {kHeads, kDim};
  ASSERT_TRUE(judge(intervention).ok());
  apply(intervention, heads.view(), nullptr);
  for (std::int64_t i = 0; i < kLength; ++i) {
    EXPECT_EQ(heads.view().at(1, 2, i)[1], values[2 * kDim + 1]);
  }
}

TEST(Intervention, MeanStandsAtEveryPositionOfTheHead) {
  const std::vector<float> mean = {1, 2, 3, 4};
  Intervention intervention = of(InterventionKind::kMean, 1);
  intervention.values = mean.data();
  intervention.rank = 1;
  intervention.dims = {kDim};
  Heads heads(6);
  apply_to_head_1(intervention, &heads);
  for (std::int64_t i = 0; i < kLength; ++i) {
    for (std::int64_t d = 0; d < kDim; ++d) {
      EXPECT_EQ(heads.view().at(0, 1, i)[d], mean[static_cast<std::size_t>(d)]);
    }
  }
}

TEST(Intervention, NoiseHasItsDeviationAndRepeatsWithItsSeed) {
  Heads a(7);
  Heads b(7);
  Heads other(7);
  const Heads before(7);
  Intervention intervention = of(InterventionKind::kNoise, {});
  intervention.deviation = 0.5;
  intervention.seed = 11;
  apply(intervention, a.view(), nullptr);
  apply(intervention, b.view(), nullptr);
  intervention.seed = 12;
  apply(intervention, other.view(), nullptr);
  EXPECT_EQ(a.data, b.data);
  EXPECT_NE(a.data, other.data);
  double square = 0.0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    square += std::pow(a.data[i] - before.data[i], 2.0);
  }
  // 120 draws: the deviation is known to about 6.5 %.
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(a.data.size())), 0.5, 0.13);
  intervention.deviation = 0.0;
  Heads still(7);
  apply(intervention, still.view(), nullptr);
  EXPECT_EQ(still.data, before.data);
}

TEST(Intervention, ShuffleMovesRealPositionsOnly) {
  const std::vector<std::uint8_t> key_mask = {1, 1, 1, 1, 0, 1, 0, 1, 1, 1};
  bool moved = false;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Heads heads(8);
    Heads before(8);
    Intervention intervention = of(InterventionKind::kShuffle, 1);
    intervention.seed = seed;
    apply_to_head_1(intervention, &heads, key_mask.data());
    for (std::int64_t b = 0; b < kBatch; ++b) {
      std::vector<float> firsts;
      std::vector<float> firsts_before;
      for (std::int64_t i = 0; i < kLength; ++i) {
        const float got = heads.view().at(b, 1, i)[0];
        const float had = before.view().at(b, 1, i)[0];
        if (key_mask[static_cast<std::size_t>(b * kLength + i)] == 0) {
          EXPECT_EQ(got, had);
        } else {
          moved |= got != had;
          firsts.push_back(got);
          firsts_before.push_back(had);
        }
      }
      std::sort(firsts.begin(), firsts.end());
      std::sort(firsts_before.begin(), firsts_before.end());
      EXPECT_EQ(firsts, firsts_before);
    }
  }
  EXPECT_TRUE(moved);
}

TEST(Intervention, SaysWhatDoesNotFit) {
  Intervention intervention = of(InterventionKind::kZero, kHeads);
  EXPECT_NE(judge(intervention).expected().find("0 to 2"), std::string::npos);
  intervention = of(InterventionKind::kNoise, 0);
  intervention.deviation = -1.0;
  EXPECT_EQ(judge(intervention).received(), "-1");
  intervention.deviation = std::nan("");
  EXPECT_EQ(judge(intervention).received(), "NaN");
  intervention = of(InterventionKind::kValues, 0);
  EXPECT_EQ(judge(intervention).received(), "nothing");
  intervention.rank = 2;
  intervention.dims = {kLength, kDim + 1};
  const Status status = judge(intervention);
  EXPECT_EQ(status.argument(), "interventions");
  EXPECT_NE(status.expected().find("[5, 4] or [2, 5, 4]"), std::string::npos);
  EXPECT_EQ(status.received(), "[5, 5]");
}

}  // namespace
}  // namespace headwise
