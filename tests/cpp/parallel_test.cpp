// Every piece exactly once, by a thread within the count; and the op's bits for any number of
// threads. Builds without threads run the same tests on one.
#include "headwise/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "headwise/linear.hpp"
#include "support/attention_case.hpp"
#include "support/random.hpp"

namespace headwise {
namespace {

class Parallel : public ::testing::Test {
 protected:
  ~Parallel() override { set_thread_count(1); }
};

TEST_F(Parallel, EveryPieceOnce) {
  for (int threads : {1, 2, 3, 5}) {
    const int count = set_thread_count(threads);
    ASSERT_GE(count, 1);
    ASSERT_LE(count, threads);
    for (int pieces : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(pieces));
      std::atomic<bool> thread_in_range{true};
      parallel_for(pieces, [&](std::int64_t piece, int thread) {
        seen[static_cast<std::size_t>(piece)].fetch_add(1);
        if (thread < 0 || thread >= count) thread_in_range = false;
      });
      EXPECT_TRUE(thread_in_range);
      for (const auto& times : seen) ASSERT_EQ(times, 1);
    }
  }
}

TEST_F(Parallel, WorkInTwoCallsIsDoneWhenTheSecondReturns) {
  for (int threads : {1, 2, 4}) {
    set_thread_count(threads);
    for (int pieces : {0, 1, 5, 300}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(pieces));
      const auto count = [](void* context, std::int64_t piece, int) {
        auto& all = *static_cast<std::vector<std::atomic<int>>*>(context);
        all[static_cast<std::size_t>(piece)].fetch_add(1);
      };
      begin_parallel(pieces, count, &seen);
      finish_parallel();
      for (const auto& times : seen) ASSERT_EQ(times, 1);
    }
  }
}

TEST_F(Parallel, AttentionHasTheSameBitsForAnyNumberOfThreads) {
  test::Random random(21);
  test::AttentionCase c({2, 6, 3, 300, 300, 24, 20}, random);
  c.call.causal = true;
  test::AttentionResult alone;
  ASSERT_TRUE(test::run_attention(c, ScoresPoint::kScaled, true, &alone).ok());
  for (int threads : {2, 3, 4}) {
    set_thread_count(threads);
    for (int repetition = 0; repetition < 5; ++repetition) {
      test::AttentionResult got;
      ASSERT_TRUE(test::run_attention(c, ScoresPoint::kScaled, true, &got).ok());
      ASSERT_EQ(got.output, alone.output) << threads;
      ASSERT_EQ(got.weights, alone.weights) << threads;
      ASSERT_EQ(got.scores, alone.scores) << threads;
    }
  }
}

// Blocks are cut smaller for threads: rows then stand beside others, and windows end within blocks.
TEST_F(Parallel, AWindowedRowHasTheSameBitsInBlocksOfAnySize) {
  test::Random random(22);
  test::AttentionCase c({1, 2, 2, 700, 700, 16, 16}, random);
  c.call.causal = true;
  c.call.window_left = 70;
  test::AttentionResult alone;
  ASSERT_TRUE(test::run_attention(c, ScoresPoint::kNone, false, &alone).ok());
  for (int threads : {2, 3, 7}) {
    set_thread_count(threads);
    test::AttentionResult got;
    ASSERT_TRUE(test::run_attention(c, ScoresPoint::kNone, false, &got).ok());
    ASSERT_EQ(got.output, alone.output) << threads;
  }
}

// Few rows are cut by columns: what each thread computes must not show.
TEST_F(Parallel, AFewRowsOfALinearLayerHaveTheSameBitsOnAnyNumberOfThreads) {
  test::Random random(3);
  constexpr std::int64_t kIn = 300;
  constexpr std::int64_t kOut = 1001;
  const std::vector<float> weight = random.normals(kIn * kOut);
  const std::vector<float> bias = random.normals(kOut);
  std::vector<std::int8_t> bytes(weight.size());
  for (std::int8_t& value : bytes) value = static_cast<std::int8_t>(random.integer(-127, 127));
  const std::vector<float> scales(kOut, 0.01F);
  const std::vector<Outlier> outliers = {{3, 7, 2.5F}, {640, 0, -8.0F}, {1000, 299, 4.0F}};
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    Linear layer;
    ASSERT_TRUE(layer.create(kIn, kOut, type, true).ok());
    if (type == WeightType::kFloat32) {
      layer.set_rows(0, kOut, weight.data());
    } else {
      layer.set_rows(0, kOut, bytes.data(), scales.data(), outliers);
    }
    layer.set_bias(0, kOut, bias.data());
    for (const std::int64_t rows : {1, 3, 5}) {
      const std::vector<float> x = random.normals(rows * kIn);
      const auto product = [&](int threads, const LinearOptions& options) {
        set_thread_count(threads);
        const std::int64_t columns = kOut - options.first_output;
        std::vector<float> y(static_cast<std::size_t>(rows * columns), 0.5F);
        EXPECT_TRUE(layer
                        .forward(Tensor<const float, 2>::contiguous(x.data(), {rows, kIn}),
                                 Tensor<float, 2>::contiguous(y.data(), {rows, columns}), options)
                        .ok());
        return y;
      };
      for (const LinearOptions& options : {LinearOptions{}, LinearOptions{.accumulate = true},
                                           LinearOptions{.first_output = 24}}) {
        const std::vector<float> alone = product(1, options);
        for (const int threads : {2, 3, 5}) EXPECT_EQ(product(threads, options), alone);
      }
    }
  }
}

}  // namespace
}  // namespace headwise
