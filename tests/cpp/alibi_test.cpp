#include "headwise/alibi.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/attention_case.hpp"

namespace headwise {
namespace {

using test::AttentionCase;
using test::Random;

TEST(Alibi, SlopesOfThePaper) {
  std::vector<float> slopes(8);
  alibi_slopes(8, slopes.data());
  for (int h = 0; h < 8; ++h) {
    EXPECT_EQ(slopes[static_cast<std::size_t>(h)], std::ldexp(1.0F, -1 - h));
  }
  slopes.resize(12);  // those of 8, then every second of 16
  alibi_slopes(12, slopes.data());
  EXPECT_EQ(slopes[7], std::ldexp(1.0F, -8));
  EXPECT_FLOAT_EQ(slopes[8], std::exp2f(-0.5F));
  EXPECT_FLOAT_EQ(slopes[11], std::exp2f(-3.5F));
}

// The op with ALiBi equals the op with the bias written out as a mask.
void expect_equals_bias(AttentionCase* c, const std::vector<std::int64_t>& offsets) {
  ASSERT_TRUE(validate(c->call, &c->shape).ok());
  const AttentionShape& s = c->shape;
  const std::vector<float> slopes = {0.25F, 0.0625F};
  std::vector<float> got(static_cast<std::size_t>(s.scores_size()));
  std::vector<float> expected(got.size());
  std::vector<float> output(static_cast<std::size_t>(s.output_size()));
  AttentionProblem problem = resolve(c->call, s, nullptr, nullptr);
  problem.output = Tensor<float, 4>::contiguous(
      output.data(), {s.batch, s.query_heads, s.query_length, s.value_head_dim});
  problem.weights = got.data();
  Buffer<float> storage;
  AttentionProblem with_alibi = problem;
  ASSERT_TRUE(add_alibi(slopes.data(), s.kv_length, &with_alibi, &storage).ok());
  ASSERT_TRUE(attention(with_alibi).ok());

  std::vector<float> bias;
  for (std::int64_t b = 0; b < s.batch; ++b) {
    for (std::int64_t h = 0; h < 2; ++h) {
      for (std::int64_t i = 0; i < s.query_length; ++i) {
        for (std::int64_t j = 0; j < s.kv_length; ++j) {
          const double distance =
              std::fabs(static_cast<double>(j - i - offsets[static_cast<std::size_t>(b)]));
          const bool hidden =
              !c->allowed.empty() && c->allowed[static_cast<std::size_t>(i * s.kv_length + j)] == 0;
          bias.push_back(hidden
                             ? -INFINITY
                             : static_cast<float>(-slopes[static_cast<std::size_t>(h)] * distance));
        }
      }
    }
  }
  c->call.mask = {bias.data(), nullptr, 4, {s.batch, 2, s.query_length, s.kv_length}};
  AttentionProblem written = resolve(c->call, s, nullptr, nullptr);
  written.output = problem.output;
  written.weights = expected.data();
  ASSERT_TRUE(attention(written).ok());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-6) << i;
}

TEST(Alibi, ABandEqualsTheBiasWrittenOut) {
  Random random(1);
  for (const bool causal : {false, true}) {
    AttentionCase c({2, 2, 1, 13, 21, 4, 4}, random);
    c.call.causal = causal;
    expect_equals_bias(&c, {0, 0});
    AttentionCase shifted({2, 2, 2, 5, 70, 4, 4}, random);
    shifted.call.causal = causal;
    shifted.call.causal_offset = 65;
    expect_equals_bias(&shifted, {65, 65});
  }
}

TEST(Alibi, OffsetsThatDifferByLength) {
  Random random(2);
  AttentionCase c({2, 2, 1, 3, 9, 4, 4}, random);
  c.kv_lengths = {9, 4};
  c.call.kv_lengths = c.kv_lengths.data();
  c.call.kv_lengths_size = 2;
  c.call.causal = true;
  expect_equals_bias(&c, {6, 1});
}

TEST(Alibi, AddsToAMask) {
  Random random(3);
  AttentionCase c({2, 2, 1, 6, 11, 4, 4}, random);
  c.allowed.resize(6 * 11);
  for (std::uint8_t& allowed : c.allowed) allowed = random.chance(0.6) ? 1 : 0;
  c.call.mask = {nullptr, c.allowed.data(), 2, {6, 11}};
  expect_equals_bias(&c, {0, 0});
}

}  // namespace
}  // namespace headwise
