#include "headwise/analysis/token_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "support/random.hpp"

namespace headwise::analysis {
namespace {

using test::Random;

struct Found {
  std::vector<float> losses, right;
  Status status;
};

Found losses_of(const std::vector<float>& logits, std::int64_t batch, std::int64_t vocabulary,
                const std::vector<std::int32_t>& labels,
                const std::vector<std::int32_t>& never = {}) {
  const auto length = static_cast<std::int64_t>(labels.size()) / batch;
  Found found;
  found.losses.resize(static_cast<std::size_t>(batch), -1.0F);
  found.right.resize(static_cast<std::size_t>(batch), -1.0F);
  found.status =
      token_loss(Tensor<const float, 3>::contiguous(logits.data(), {batch, length, vocabulary}),
                 labels.data(), never, found.losses.data(), found.right.data());
  return found;
}

TEST(TokenLoss, AgreesWithDoublePrecisionAtEveryWidth) {
  Random random(3);
  for (const std::int64_t vocabulary : {1, 3, 4, 5, 8, 63, 4097}) {
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 6; ++i) {
      const bool judged = i % 4 != 2;
      labels.push_back(judged ? static_cast<std::int32_t>(random.integer(0, vocabulary - 1)) : -1);
    }
    const std::vector<float> logits = random.normals(6 * vocabulary, 8.0F);
    const Found found = losses_of(logits, 2, vocabulary, labels);
    ASSERT_TRUE(found.status.ok());
    for (std::size_t b = 0; b < 2; ++b) {
      double loss = 0.0;
      float right = 0.0F;
      for (std::size_t i = 3 * b; i < 3 * (b + 1); ++i) {
        if (labels[i] < 0) continue;
        const float* row = logits.data() + static_cast<std::int64_t>(i) * vocabulary;
        double sum = 0.0;
        bool largest = true;
        for (std::int64_t id = 0; id < vocabulary; ++id) {
          sum += std::exp(double{row[id]} - row[labels[i]]);
          largest = largest && row[id] <= row[labels[i]];
        }
        loss += std::log(sum);
        right += largest ? 1.0F : 0.0F;
      }
      EXPECT_NEAR(found.losses[b], loss, 1e-6 * std::fmax(1.0, loss)) << vocabulary;
      EXPECT_EQ(found.right[b], right) << vocabulary;
    }
  }
}

TEST(TokenLoss, IsFiniteHoweverLargeTheLogits) {
  const Found found = losses_of({3e4F, -3e4F, 0.0F, 0.0F}, 1, 4, {1});
  EXPECT_FLOAT_EQ(found.losses[0], 6e4F);
}

TEST(TokenLoss, OfEqualLogitsTheFirstIsChosenAndNeverASuppressedOne) {
  const std::vector<float> logits = {2.0F, 5.0F, 5.0F, 1.0F};
  EXPECT_EQ(losses_of(logits, 1, 4, {1}).right[0], 1.0F);
  EXPECT_EQ(losses_of(logits, 1, 4, {2}).right[0], 0.0F);
  EXPECT_EQ(losses_of(logits, 1, 4, {2}, {1}).right[0], 1.0F);
  EXPECT_EQ(losses_of(logits, 1, 4, {1}, {1}).right[0], 0.0F);
  EXPECT_EQ(losses_of(logits, 1, 4, {0}, {2, 1}).right[0], 1.0F);
}

TEST(TokenLoss, AmongNumbersThatAreNoneNothingIsChosen) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<float>& logits :
       {std::vector<float>{nan, nan, nan}, {3.0F, nan, 1.0F}, {nan, 1.0F, 3.0F}}) {
    for (const std::int32_t label : {0, 1, 2}) {
      const Found found = losses_of(logits, 1, 3, {label});
      ASSERT_TRUE(found.status.ok());
      EXPECT_EQ(found.right[0], 0.0F);
    }
  }
}

TEST(TokenLoss, RefusesLabelsThatAreNoTokens) {
  for (const std::int32_t label : {4, -2, std::numeric_limits<std::int32_t>::max()}) {
    EXPECT_EQ(losses_of({0, 0, 0, 0}, 1, 4, {label}).status.argument(), "labels");
  }
}

}  // namespace
}  // namespace headwise::analysis
