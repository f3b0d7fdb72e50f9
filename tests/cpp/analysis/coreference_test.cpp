#include "headwise/analysis/coreference.hpp"

#include <gtest/gtest.h>

#include "analysis/support.hpp"

namespace headwise::analysis {
namespace {

TEST(Coreference, AgreesWithNumPy) {
  const test::GoldenCases golden("roles/cases");
  const std::vector<float> patterns = golden.values("coreference.patterns");
  const std::vector<float> expected = golden.values("coreference.values");
  std::vector<CoreferenceKind> kinds;
  for (const std::int32_t kind : golden.integers("coreference.kinds")) {
    kinds.push_back(static_cast<CoreferenceKind>(kind));
  }
  const auto length = static_cast<std::int64_t>(kinds.size());
  constexpr std::int64_t kHeads = 3;
  Coreference scores;
  ASSERT_TRUE(scores.begin(2, 2, kHeads).ok());
  const std::int32_t example = 1;
  for (std::int64_t layer = 0; layer < 2; ++layer) {
    scores.judge(layer, patterns.data() + layer * kHeads * length * length, 1, length, &example,
                 kinds.data());
  }
  for (std::int64_t field = 0; field < Coreference::kFields; ++field) {
    for (std::int64_t h = 0; h < 2 * kHeads; ++h) {
      EXPECT_NEAR(scores.values[(field * 2 + 1) * 2 * kHeads + h],
                  expected[static_cast<std::size_t>(field * 2 * kHeads + h)], 1e-6)
          << field << ", " << h;
    }
  }
}

// Every row looks at the antecedent: right, and no evidence at all.
TEST(Coreference, AHeadThatMarksAWordIsRightForEveryRow) {
  const std::vector<float> row = {0.0F, 0.6F, 0.1F, 0.1F, 0.2F, 0.0F};
  std::vector<float> pattern;
  for (int i = 0; i < 6; ++i) pattern.insert(pattern.end(), row.begin(), row.end());
  using Kind = CoreferenceKind;
  const std::vector<Kind> kinds = {Kind::kOutside,   Kind::kAntecedent, Kind::kText,
                                   Kind::kCandidate, Kind::kMention,    Kind::kOutside};
  Coreference scores;
  ASSERT_TRUE(scores.begin(1, 1, 1).ok());
  const std::int32_t example = 0;
  scores.judge(0, pattern.data(), 1, 6, &example, kinds.data());
  for (const auto field :
       {Coreference::kRight, Coreference::kControl, Coreference::kMostAttended}) {
    EXPECT_EQ(scores.values[field], 1.0F);
  }
  EXPECT_FLOAT_EQ(scores.values[Coreference::kWeight], 0.6F);
  EXPECT_FLOAT_EQ(scores.values[Coreference::kOtherWeight], 0.6F);
}

}  // namespace
}  // namespace headwise::analysis
