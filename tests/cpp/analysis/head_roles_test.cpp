#include "headwise/analysis/head_roles.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/support.hpp"

namespace headwise::analysis {
namespace {

constexpr std::int64_t kLayers = 2;
constexpr std::int64_t kHeads = 3;
constexpr std::int64_t kRelations = 4;

// Sentences with trees and random maps, and what NumPy makes of them.
class Case {
 public:
  explicit Case(const std::string& name)
      : golden_("roles/cases"),
        name_(name),
        offsets_(integers("offsets")),
        heads_(integers("heads")),
        relation_ids_(integers("relation_ids")),
        token_offsets_(integers("token_offsets")),
        words_(integers("words")),
        kinds_(integers("kinds")),
        ids_(integers("ids")),
        patterns_(floats("patterns")) {
    for (const std::int32_t half : integers("halves")) {
      halves_.push_back(static_cast<std::uint8_t>(half));
    }
  }

  std::vector<float> floats(const std::string& of) const {
    return golden_.values(name_ + "." + of);
  }
  std::vector<std::int32_t> integers(const std::string& of) const {
    return golden_.integers(name_ + "." + of);
  }
  std::int64_t sentences() const { return static_cast<std::int64_t>(halves_.size()); }

  TreeList trees() const {
    return {sentences(),   kRelations,           offsets_.data(),
            heads_.data(), relation_ids_.data(), halves_.data()};
  }

  // Judges the sentences that are not left out, `batch` at a time, padded to the longest.
  void judge(HeadRoles& roles, std::size_t batch) const {
    std::vector<std::int32_t> used;
    for (std::size_t s = 0; s < halves_.size(); ++s) {
      if (halves_[s] != 0) used.push_back(static_cast<std::int32_t>(s));
    }
    for (std::size_t first = 0; first < used.size(); first += batch) {
      const std::size_t end = std::min(first + batch, used.size());
      judge_batch(roles, {used.begin() + static_cast<std::ptrdiff_t>(first),
                          used.begin() + static_cast<std::ptrdiff_t>(end)});
    }
  }

 private:
  std::size_t length_of(std::int32_t s) const {
    const auto at = static_cast<std::size_t>(s);
    return static_cast<std::size_t>(token_offsets_[at + 1] - token_offsets_[at]);
  }

  void judge_batch(HeadRoles& roles, const std::vector<std::int32_t>& rows) const {
    std::size_t length = 0;
    for (const std::int32_t s : rows) length = std::max(length, length_of(s));
    std::vector<std::int32_t> words(rows.size() * length, -1);
    std::vector<std::int32_t> ids(rows.size() * length, 0);
    std::vector<TokenKind> kinds(rows.size() * length, TokenKind::kPadding);
    const std::size_t square = length * length;
    for (std::int64_t layer = 0; layer < kLayers; ++layer) {
      std::vector<float> patterns(rows.size() * kHeads * square, 0.0F);
      for (std::size_t b = 0; b < rows.size(); ++b) {
        const auto from =
            static_cast<std::size_t>(token_offsets_[static_cast<std::size_t>(rows[b])]);
        const std::size_t own = length_of(rows[b]);
        for (std::size_t i = 0; i < own; ++i) {
          words[b * length + i] = words_[from + i];
          ids[b * length + i] = ids_[from + i];
          kinds[b * length + i] = static_cast<TokenKind>(kinds_[from + i]);
        }
        for (std::size_t h = 0; h < kHeads; ++h) {
          const float* map = map_of(rows[b], static_cast<std::size_t>(layer) * kHeads + h);
          for (std::size_t i = 0; i < own; ++i) {
            std::copy_n(map + i * own, own,
                        patterns.data() + (b * kHeads + h) * square + i * length);
          }
        }
      }
      const TokenBatch tokens{static_cast<std::int64_t>(rows.size()),
                              static_cast<std::int64_t>(length),
                              rows.data(),
                              words.data(),
                              kinds.data(),
                              ids.data()};
      ASSERT_TRUE(roles.judge(layer, patterns.data(), tokens).ok());
    }
  }

  const float* map_of(std::int32_t sentence, std::size_t head) const {
    std::size_t at = 0;
    for (std::int32_t s = 0; s < sentence; ++s) {
      at += kLayers * kHeads * length_of(s) * length_of(s);
    }
    return patterns_.data() + at + head * length_of(sentence) * length_of(sentence);
  }

  test::GoldenCases golden_;
  std::string name_;
  std::vector<std::int32_t> offsets_, heads_, relation_ids_, token_offsets_, words_, kinds_, ids_;
  std::vector<float> patterns_;
  std::vector<std::uint8_t> halves_;
};

// NaN where NaN is expected: where there is nothing to judge.
void expect_same(const Buffer<float>& got, const std::vector<float>& expected, double tolerance) {
  ASSERT_EQ(got.size(), static_cast<std::int64_t>(expected.size()));
  for (std::int64_t i = 0; i < got.size(); ++i) {
    const float value = expected[static_cast<std::size_t>(i)];
    ASSERT_EQ(std::isnan(got[i]), std::isnan(value)) << "at " << i;
    if (std::isnan(value)) continue;
    ASSERT_NEAR(got[i], value, tolerance) << "at " << i;
  }
}

TEST(HeadRoles, AgreesWithNumPyOverSplitWordsTiesAndHalves) {
  for (const std::string name : {"random", "ties"}) {
    const Case example(name);
    for (const std::size_t batch : {1U, 5U}) {
      SCOPED_TRACE(testing::Message() << name << ", batches of " << batch);
      HeadRoles roles;
      ASSERT_TRUE(roles.begin(example.trees(), kLayers, kHeads, false).ok());
      example.judge(roles, batch);
      ASSERT_TRUE(roles.begin_intervals(200, 7).ok());
      test::finish(roles);
      roles.summarise();
      expect_same(roles.selection, example.floats("selection"), 1e-6);
      expect_same(roles.accuracy, example.floats("accuracy"), 1e-6);
      expect_same(roles.low, example.floats("low"), 2e-6);
      expect_same(roles.high, example.floats("high"), 2e-6);
      expect_same(roles.gain_low, example.floats("gain_low"), 2e-6);
      expect_same(roles.gain_high, example.floats("gain_high"), 2e-6);
      expect_same(roles.judged, example.floats("judged"), 0.0);
      expect_same(roles.baselines, example.floats("baselines"), 1e-6);
      expect_same(roles.means, example.floats("means"), 2e-6);
      expect_same(roles.errors, example.floats("errors"), 2e-6);
      expect_same(roles.measured_rows, example.floats("rows"), 0.0);
    }
  }
}

TEST(HeadRoles, PredictionsAreWhatIsCounted) {
  const Case example("random");
  HeadRoles roles;
  ASSERT_TRUE(roles.begin(example.trees(), kLayers, kHeads, true).ok());
  example.judge(roles, 3);
  roles.summarise();
  const TreeList trees = example.trees();
  std::vector<float> right(kRelations * 2 * kLayers * kHeads, 0.0F);
  for (std::int64_t s = 0; s < trees.sentences; ++s) {
    for (std::int64_t w = trees.offsets[s]; w < trees.offsets[s + 1]; ++w) {
      for (std::int64_t c = 0; c < 2 * roles.all_heads; ++c) {
        const std::int16_t predicted = roles.predicted[w * 2 * roles.all_heads + c];
        EXPECT_NE(predicted, w - trees.offsets[s]);
        const bool counts = trees.halves[s] == 1 && predicted >= 0 && predicted == trees.heads[w];
        right[static_cast<std::size_t>(trees.relation_ids[w] * 2 * roles.all_heads + c)] += counts;
      }
    }
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    const float judged = roles.judged[static_cast<std::int64_t>(i) / (2 * roles.all_heads) * 2];
    if (judged == 0.0F) continue;
    EXPECT_FLOAT_EQ(roles.selection[static_cast<std::int64_t>(i)], right[i] / judged);
  }
}

TEST(HeadRoles, WithoutTreesThereAreMeasuresOnly) {
  const std::vector<std::int32_t> offsets = {0, 2};
  const std::vector<std::int32_t> none = {-1, -1};
  const std::vector<std::uint8_t> halves = {2};
  HeadRoles roles;
  const TreeList trees{1, 0, offsets.data(), none.data(), none.data(), halves.data()};
  ASSERT_TRUE(roles.begin(trees, 1, 1, false).ok());
  const std::vector<std::int32_t> words = {-1, 0, 1, -1};
  const std::vector<std::int32_t> ids = {5, 6, 6, 7};
  const std::vector<TokenKind> kinds = {TokenKind::kFirst, TokenKind::kText,
                                        TokenKind::kPunctuation, TokenKind::kSeparator};
  const std::int32_t sentence = 0;
  const std::vector<float> pattern = {1.00F, 0.00F, 0.00F, 0.00F, 0.50F, 0.25F, 0.125F, 0.125F,
                                      0.25F, 0.50F, 0.25F, 0.00F, 0.00F, 0.00F, 0.00F,  1.00F};
  ASSERT_TRUE(
      roles.judge(0, pattern.data(), {1, 4, &sentence, words.data(), kinds.data(), ids.data()})
          .ok());
  ASSERT_TRUE(roles.begin_intervals(10, 0).ok());
  test::finish(roles);
  roles.summarise();
  const double entropies = (0.5 + 0.5 + 0.375 + 0.375 + 0.5 + 0.5 + 0.5) * std::log(2.0);
  const std::vector<double> expected = {0.5,    0.125, 0.375,  0.0625,
                                        0.1875, 0.25,  0.3125, entropies / 2};
  for (int m = 0; m < HeadRoles::kMeasures; ++m)
    EXPECT_NEAR(roles.means[m], expected[m], 1e-6) << m;
  EXPECT_EQ(roles.measured_rows[0], 1.0F);
  EXPECT_EQ(roles.measured_rows[6], 2.0F);
  EXPECT_TRUE(std::isnan(roles.errors[0]));  // of one sentence
}

}  // namespace
}  // namespace headwise::analysis
