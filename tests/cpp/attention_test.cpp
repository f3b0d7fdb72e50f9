// The kernel against the double-precision reference, over sizes around every tile edge and all
// options at random, and the promises that no tolerance covers: equal bits, exact zeros, no leaks.
#include "headwise/attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "support/attention_case.hpp"
#include "support/expect_rows.hpp"

namespace headwise {
namespace {

using test::AttentionCase;
using test::AttentionResult;
using test::AttentionSizes;
using test::Random;
using test::ReferenceResult;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr double kTolerance = 2e-6;
constexpr double kTerms = 0.25;  // scores and outputs are sums of unit-variance terms

void expect_matches_reference(AttentionCase& c, ScoresPoint point, double tolerance) {
  AttentionResult got;
  const Status status = test::run_attention(c, point, true, &got);
  ASSERT_TRUE(status.ok()) << status.argument() << ": " << status.expected() << "; "
                           << status.received();
  const ReferenceResult expected = test::run_reference(c, point);
  const std::int64_t rows = c.shape.batch * c.shape.query_heads * c.shape.query_length;
  test::expect_rows_near(got.output.data(), expected.output.data(), rows, c.shape.value_head_dim,
                         tolerance, kTerms);
  test::expect_rows_near(got.weights.data(), expected.weights.data(), rows, c.shape.kv_length,
                         tolerance);
  if (point != ScoresPoint::kNone) {
    test::expect_rows_near(got.scores.data(), expected.scores.data(), rows, c.shape.kv_length,
                           tolerance, kTerms);
  }
  AttentionResult plain;
  ASSERT_TRUE(test::run_attention(c, ScoresPoint::kNone, false, &plain).ok());
  if (got.output.empty()) return;  // nothing to compare, and no address to compare it at
  ASSERT_EQ(0,
            std::memcmp(plain.output.data(), got.output.data(), got.output.size() * sizeof(float)))
      << "the output's bits depend on what else is returned";
}

// Gives the call options at random; data lives in the case.
ScoresPoint add_random_options(AttentionCase& c, const AttentionSizes& s, Random& random) {
  if (random.chance(0.3)) {
    c.call.scale = (random.uniform() * 2.0 - 0.5) / std::sqrt(static_cast<double>(s.head_dim));
  }
  if (random.chance(0.25)) c.call.softcap = 0.5 + random.uniform() * 20.0;
  c.call.causal = random.chance(0.5);
  if (random.chance(0.3))
    c.call.causal_offset = random.integer(-s.query_length - 1, s.kv_length + 1);
  if (random.chance(0.3)) c.call.window_left = random.integer(-1, s.kv_length);
  if (random.chance(0.3)) c.call.window_right = random.integer(-1, s.kv_length);
  if (random.chance(0.5)) {
    const std::int64_t full[4] = {s.batch, s.query_heads, s.query_length, s.kv_length};
    const int rank = static_cast<int>(random.integer(1, 4));
    std::int64_t size = 1;
    c.call.mask.rank = rank;
    for (int i = 0; i < rank; ++i) {
      std::int64_t dim = full[4 - rank + i];
      if (i < rank - 1 && random.chance(0.4)) dim = 1;
      if (i == rank - 1 && dim > 2 && random.chance(0.3)) dim = random.integer(2, dim);
      c.call.mask.dims[i] = dim;
      size *= dim;
    }
    if (random.chance(0.5)) {
      c.bias = random.normals(size);
      for (float& bias : c.bias) {
        if (random.chance(0.2)) bias = -kInfinity;
      }
      c.call.mask.bias = c.bias.data();
    } else {
      for (std::int64_t i = 0; i < size; ++i) c.allowed.push_back(random.chance(0.7) ? 1 : 0);
      c.call.mask.allowed = c.allowed.data();
    }
  }
  if (random.chance(0.3)) {
    for (std::int64_t i = 0; i < s.batch * s.kv_length; ++i)
      c.key_mask.push_back(random.chance(0.8));
    c.call.key_mask = c.key_mask.data();
    c.call.key_mask_rank = 2;
    c.call.key_mask_dims = {s.batch, s.kv_length};
  }
  if (random.chance(0.3)) {
    for (std::int64_t b = 0; b < s.batch; ++b) {
      c.kv_lengths.push_back(static_cast<std::int32_t>(random.integer(0, s.kv_length)));
    }
    c.call.kv_lengths = c.kv_lengths.data();
    c.call.kv_lengths_size = s.batch;
  }
  if (random.chance(0.2)) {
    for (std::int64_t h = 0; h < s.query_heads; ++h) {
      c.head_mask.push_back(random.chance(0.3) ? 0.0F : random.normal());
    }
    c.call.head_mask = c.head_mask.data();
    c.call.head_mask_size = s.query_heads;
  }
  return static_cast<ScoresPoint>(random.integer(0, 3));
}

TEST(Attention, AgreesWithReferenceAroundTileEdges) {
  Random random(1);
  for (std::int64_t length :
       {1, 2, 3, 5, 6, 7, 8, 9, 23, 31, 63, 64, 65, 127, 129, 191, 192, 193}) {
    for (std::int64_t dim : {1, 3, 4, 7, 8, 9, 31, 64, 65}) {
      AttentionCase c({1, 2, 1, length, length, dim, dim}, random);
      c.call.causal = length % 2 == 1;
      expect_matches_reference(c, ScoresPoint::kScaled, kTolerance);
      if (HasFatalFailure()) FAIL() << "length " << length << ", head size " << dim;
    }
  }
}

TEST(Attention, AgreesWithReferenceForWideHeads) {
  Random random(2);
  for (std::int64_t dim : {96, 128, 129, 192, 576}) {
    AttentionCase c({1, 3, 1, 7, 70, dim, dim - 5}, random);
    expect_matches_reference(c, ScoresPoint::kNone, kTolerance);
    if (HasFatalFailure()) FAIL() << "head size " << dim;
  }
}

TEST(Attention, AgreesWithReferenceForRandomOptions) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed + 100);
    AttentionSizes s;
    s.batch = random.integer(1, 3);
    s.kv_heads = random.integer(1, 3);
    s.query_heads = s.kv_heads * random.integer(1, 4);
    s.query_length = random.integer(0, random.chance(0.1) ? 210 : 14);
    s.kv_length = random.integer(0, random.chance(0.2) ? 210 : 20);
    s.head_dim = random.integer(1, random.chance(0.2) ? 80 : 17);
    s.value_head_dim = random.integer(1, random.chance(0.2) ? 80 : 17);
    AttentionCase c(s, random);
    const ScoresPoint point = add_random_options(c, s, random);
    // A bias or a scale of its own takes the scores beyond unit variance.
    const bool unit = c.call.mask.bias == nullptr && !c.call.scale.has_value();
    // Softcaps and head masks add roundings of their own (2.02e-6 was seen in the relaxed build).
    expect_matches_reference(c, point, unit ? 3e-6 : 5e-6);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Attention, LargeScoresStayWithinTheWiderBound) {
  Random random(3);
  AttentionCase c({1, 2, 2, 65, 130, 64, 64}, random, 6.0F);  // scores up to some 300
  expect_matches_reference(c, ScoresPoint::kScaled, 1e-5);
}

TEST(Attention, RowThatSeesNothingIsExactlyZero) {
  Random random(4);
  AttentionCase c({1, 1, 1, 5, 9, 8, 8}, random);
  c.call.causal = true;
  c.call.causal_offset = -2;  // rows 0 and 1 see nothing
  AttentionResult got;
  ASSERT_TRUE(test::run_attention(c, ScoresPoint::kBiased, true, &got).ok());
  for (int i = 0; i < 2 * 8; ++i) EXPECT_EQ(got.output[i], 0.0F);
  for (int i = 0; i < 2 * 9; ++i) {
    EXPECT_EQ(got.weights[i], 0.0F);
    EXPECT_EQ(got.scores[i], -kInfinity);
  }
  EXPECT_NE(got.output[2 * 8], 0.0F);
}

TEST(Attention, FiniteBiasNeverHides) {
  Random random(5);
  AttentionCase c({1, 1, 1, 2, 3, 4, 4}, random);
  c.bias.assign(3, std::numeric_limits<float>::lowest());
  c.call.mask.bias = c.bias.data();
  c.call.mask.rank = 1;
  c.call.mask.dims = {3};
  AttentionResult got;
  ASSERT_TRUE(test::run_attention(c, ScoresPoint::kNone, true, &got).ok());
  for (float weight : got.weights) EXPECT_NEAR(weight, 1.0F / 3.0F, 1e-6F);
}

// NaN in every hidden key, value and bias, in tiles and in rows read in place.
TEST(Attention, NothingHiddenReachesTheResult) {
  for (std::int64_t queries : {1, 5, 40}) {
    for (std::int64_t keys : {6, 70}) {
      Random random(6);
      AttentionCase clean({1, 2, 1, queries, keys, 8, 8}, random);
      clean.call.causal = true;
      clean.call.causal_offset = 2;
      Random again(6);
      AttentionCase poisoned({1, 2, 1, queries, keys, 8, 8}, again);
      poisoned.call.causal = true;
      poisoned.call.causal_offset = 2;
      const std::int64_t visible = std::min(keys, queries + 2);
      for (auto j = static_cast<std::size_t>(visible); j < poisoned.key.size() / 8; ++j) {
        poisoned.key[j * 8 + 3] = kNaN;
        poisoned.value[j * 8 + 5] = j % 2 == 0 ? kNaN : kInfinity;
      }
      AttentionResult expected;
      AttentionResult got;
      ASSERT_TRUE(test::run_attention(clean, ScoresPoint::kNone, true, &expected).ok());
      ASSERT_TRUE(test::run_attention(poisoned, ScoresPoint::kNone, true, &got).ok());
      EXPECT_EQ(got.output, expected.output) << queries << " queries, " << keys << " keys";
      EXPECT_EQ(got.weights, expected.weights);
    }
  }
}

TEST(Attention, VisibleNaNMakesItsRowsNaN) {
  Random random(7);
  AttentionCase c({1, 1, 1, 4, 4, 8, 8}, random);
  c.call.causal = true;
  c.key[2 * 8] = kNaN;  // seen by rows 2 and 3 only
  AttentionResult got;
  ASSERT_TRUE(test::run_attention(c, ScoresPoint::kNone, false, &got).ok());
  for (int i = 0; i < 2 * 8; ++i) EXPECT_TRUE(std::isfinite(got.output[i]));
  for (int i = 2 * 8; i < 4 * 8; ++i) EXPECT_TRUE(std::isnan(got.output[i]));
}

TEST(Attention, MaskedHeadIsExactlyZeroEvenWithNaN) {
  Random random(8);
  AttentionCase c({1, 2, 2, 3, 3, 4, 4}, random);
  c.value[0] = kNaN;  // head 0
  c.head_mask = {0.0F, 1.0F};
  c.call.head_mask = c.head_mask.data();
  c.call.head_mask_size = 2;
  AttentionResult got;
  ASSERT_TRUE(test::run_attention(c, ScoresPoint::kNone, false, &got).ok());
  for (int i = 0; i < 12; ++i) EXPECT_EQ(got.output[i], 0.0F);
  for (int i = 12; i < 24; ++i) EXPECT_TRUE(std::isfinite(got.output[i]));
}

TEST(Attention, RowThatSeesNothingIsZeroWhateverTheHeadMask) {
  Random random(13);
  AttentionCase c({1, 1, 1, 2, 3, 5, 6}, random);
  c.call.causal = true;
  c.call.causal_offset = -1;
  c.head_mask = {kNaN};
  c.call.head_mask = c.head_mask.data();
  c.call.head_mask_size = 1;
  AttentionResult got;
  ASSERT_TRUE(test::run_attention(c, ScoresPoint::kNone, false, &got).ok());
  const ReferenceResult expected = test::run_reference(c, ScoresPoint::kNone);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(got.output[i], 0.0F);
    EXPECT_EQ(expected.output[i], 0.0);
    EXPECT_TRUE(std::isnan(got.output[6 + i]));
  }
}

// Slices of a plan give the bits of the whole, and the workspace does not grow with the length.
TEST(Attention, SlicesGiveTheSameBitsInConstantMemory) {
  Random random(9);
  AttentionCase c({1, 4, 2, 400, 400, 16, 16}, random);
  c.call.causal = true;
  AttentionResult whole;
  ASSERT_TRUE(test::run_attention(c, ScoresPoint::kNone, false, &whole).ok());
  AttentionProblem problem = resolve(c.call, c.shape, nullptr, nullptr);
  std::vector<float> output(whole.output.size());
  problem.output = Tensor<float, 4>::contiguous(output.data(), {1, 4, 400, 16});
  AttentionPlan plan;
  ASSERT_TRUE(plan.prepare(problem).ok());
  ASSERT_GT(plan.tasks(), 2);
  for (std::int64_t task = 0; task < plan.tasks(); ++task) plan.run(task, task + 1);
  EXPECT_EQ(output, whole.output);

  reset_memory_peak();
  const std::size_t before = memory_use().used;
  AttentionPlan second;
  problem.query.dims[2] = 1 << 20;
  ASSERT_TRUE(second.prepare(problem).ok());
  EXPECT_LT(memory_use().peak - before, std::size_t{1} << 20);
}

TEST(Attention, OutOfMemoryIsAStatusAndTheNextCallWorks) {
  Random random(10);
  AttentionCase c({1, 1, 1, 8, 8, 8, 8}, random);
  AttentionResult got;
  set_memory_limit(memory_use().used + 100);
  const Status status = test::run_attention(c, ScoresPoint::kNone, false, &got);
  set_memory_limit(std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
  EXPECT_TRUE(test::run_attention(c, ScoresPoint::kNone, false, &got).ok());
}

}  // namespace
}  // namespace headwise
