// Every piece exactly once, by a thread within the count; and the op's bits for any number of
// threads. Builds without threads run the same tests on one.
#include "headwise/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "support/attention_case.hpp"

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

}  // namespace
}  // namespace headwise
