// The layer against its double-precision twin over random sizes and options, and what must hold
// whatever the numbers: shares of heads sum to the output, fused equals separate, slices and caches
// change nothing.
#include "headwise/multi_head_attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "headwise/reference.hpp"
#include "support/expect_rows.hpp"
#include "support/layer_case.hpp"

namespace headwise {
namespace {

using test::LayerCase;
using test::LayerResult;
using test::LayerSizes;
using test::Random;
using test::run_layer;

constexpr double kTolerance = 4e-6;

// Everything that the layer returns, against the reference.
void expect_matches_reference(const LayerCase& c) {
  MultiHeadAttention layer;
  Status status = layer.create(c.config, c.weights(), WeightType::kFloat32);
  ASSERT_TRUE(status.ok()) << status.argument() << ": " << status.expected() << ", "
                           << status.received();
  LayerResult got;
  status = run_layer(layer, c.call(), &got);
  ASSERT_TRUE(status.ok()) << status.argument() << ": " << status.expected() << ", "
                           << status.received();
  reference::MultiHeadAttentionValues expected;
  ASSERT_TRUE(
      reference::multi_head_attention(layer.config(), c.weights(), c.call(), &expected).ok());
  const AttentionShape& shape = got.shape;
  const std::int64_t d_model = c.config.d_model;
  const std::int64_t rows = shape.batch * shape.query_length;
  test::expect_rows_near(got.weights.data(), expected.weights.data(), rows * shape.query_heads,
                         shape.kv_length, kTolerance);
  test::expect_rows_near(got.output.data(), expected.output.data(), rows, d_model, kTolerance, 1.0);
  test::expect_rows_near(got.heads.data(), expected.heads.data(), rows * shape.query_heads, d_model,
                         kTolerance, 1.0);
}

TEST(MultiHeadAttention, SelfAttention) {
  Random random(1);
  for (const std::int64_t length : {1, 2, 5, 17, 64}) {
    expect_matches_reference(
        LayerCase({.batch = 2, .queries = length, .heads = 3, .d_model = 12}, random));
  }
}

TEST(MultiHeadAttention, CrossAttentionWithOtherWidths) {
  Random random(2);
  expect_matches_reference(LayerCase({.batch = 2,
                                      .queries = 4,
                                      .keys = 7,
                                      .heads = 2,
                                      .d_model = 10,
                                      .key_input = 9,
                                      .value_input = 3},
                                     random));
}

TEST(MultiHeadAttention, CrossAttentionThroughAFusedMatrix) {
  Random random(3);
  expect_matches_reference(
      LayerCase({.batch = 1, .queries = 5, .keys = 3, .heads = 3, .d_model = 9}, random));
}

TEST(MultiHeadAttention, RandomLayersAndOptions) {
  Random random(4);
  for (int round = 0; round < 60; ++round) {
    LayerSizes s;
    const std::int64_t head_dim = 2 * random.integer(1, 5);
    const std::int64_t kv_heads = random.integer(1, 3);
    s.heads = kv_heads * random.integer(1, 3);
    s.kv_heads = kv_heads;
    s.head_dim = head_dim;
    s.value_dim = random.integer(1, 9);
    s.d_model = random.integer(1, 20);
    s.batch = random.integer(1, 3);
    s.queries = random.integer(1, 12);
    if (random.chance(0.4)) {
      s.keys = random.integer(1, 12);
      s.key_input = random.integer(1, 9);
      s.value_input = random.integer(1, 9);
    }
    s.biases = random.chance(0.5);
    LayerCase c(s, random);
    if (random.chance(0.5)) {
      c.config.rotary = RotaryConfig{.dim = 2 * random.integer(1, head_dim / 2),
                                     .base = 100.0,
                                     .interleaved = random.chance(0.5)};
      if (random.chance(0.5)) c.set_positions(random);
    }
    c.config.alibi = random.chance(0.3);
    c.options.causal = random.chance(0.4);
    if (random.chance(0.4)) c.set_key_mask(random);
    if (random.chance(0.3)) c.set_head_mask(random);
    if (random.chance(0.3)) c.options.window_left = random.integer(0, 4);
    if (random.chance(0.3)) c.options.softcap = 3.0;
    expect_matches_reference(c);
  }
}

TEST(MultiHeadAttention, SharesOfHeadsSumToTheOutput) {
  Random random(5);
  LayerCase c({.batch = 2, .queries = 6, .heads = 4, .d_model = 16}, random);
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    MultiHeadAttention layer;
    ASSERT_TRUE(layer.create(c.config, c.weights(), type).ok());
    LayerResult got;
    ASSERT_TRUE(run_layer(layer, c.call(), &got).ok());
    for (std::int64_t b = 0; b < 2; ++b) {
      for (std::int64_t i = 0; i < 6 * 16; ++i) {
        double sum = c.output_bias[static_cast<std::size_t>(i % 16)];
        for (std::int64_t h = 0; h < 4; ++h) {
          sum += got.heads[static_cast<std::size_t>((b * 4 + h) * 6 * 16 + i)];
        }
        EXPECT_NEAR(sum, got.output[static_cast<std::size_t>(b * 6 * 16 + i)], 1e-5);
      }
    }
  }
}

TEST(MultiHeadAttention, FusedWeightsAreTheSameLayer) {
  Random random(6);
  LayerCase c({.batch = 1, .queries = 7, .heads = 3, .kv_heads = 1, .d_model = 12}, random);
  MultiHeadAttention separate;
  MultiHeadAttention fused;
  ASSERT_TRUE(separate.create(c.config, c.weights(), WeightType::kFloat32).ok());
  ASSERT_TRUE(fused.create(c.config, c.fused_weights(), WeightType::kFloat32).ok());
  EXPECT_EQ(fused.parameters().total, separate.parameters().total);
  LayerResult a;
  LayerResult b;
  ASSERT_TRUE(run_layer(separate, c.call(), &a).ok());
  ASSERT_TRUE(run_layer(fused, c.call(), &b).ok());
  EXPECT_EQ(a.output, b.output);
  EXPECT_EQ(a.weights, b.weights);
}

TEST(MultiHeadAttention, WhatElseIsReturnedDoesNotChangeTheOutput) {
  Random random(7);
  LayerCase c({.batch = 2, .queries = 9, .heads = 2, .d_model = 8}, random);
  MultiHeadAttention layer;
  ASSERT_TRUE(layer.create(c.config, c.weights(), WeightType::kFloat32).ok());
  LayerResult all;
  ASSERT_TRUE(run_layer(layer, c.call(), &all).ok());
  std::vector<float> alone(all.output.size());
  ASSERT_TRUE(forward(layer, c.call(), {.output = alone.data()}).ok());
  EXPECT_EQ(alone, all.output);
  std::vector<float> weights(all.weights.size());  // values are not even projected then
  ASSERT_TRUE(forward(layer, c.call(), {.weights = weights.data()}).ok());
  EXPECT_EQ(weights, all.weights);
}

TEST(MultiHeadAttention, EditedHeadResultsGoThroughTheOutputMatrix) {
  Random random(8);
  LayerCase c({.batch = 1, .queries = 3, .heads = 2, .d_model = 4}, random);
  MultiHeadAttention layer;
  ASSERT_TRUE(layer.create(c.config, c.weights(), WeightType::kFloat32).ok());
  std::vector<float> edited(12);
  std::vector<float> z(12);
  MultiHeadAttentionResult result{.output = edited.data(), .z = z.data()};
  result.edit_z = [](const Tensor<float, 4>& heads) {
    for (std::int64_t i = 0; i < heads.dims[2]; ++i) {
      for (std::int64_t d = 0; d < heads.dims[3]; ++d) *heads.at(0, 1, i, d) = 0.0F;
    }
  };
  ASSERT_TRUE(forward(layer, c.call(), result).ok());
  c.head_mask = {1.0F, 0.0F};
  std::vector<float> masked(12);
  ASSERT_TRUE(forward(layer, c.call(), {.output = masked.data()}).ok());
  EXPECT_EQ(edited, masked);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(z[4 * i + 2], 0.0F);
    EXPECT_NE(z[4 * i], 0.0F);
  }
}

TEST(MultiHeadAttention, ACacheFilledTokenByTokenEqualsOneCausalPass) {
  Random random(9);
  constexpr std::int64_t kLength = 11;
  for (const bool alibi : {false, true}) {
    LayerCase c({.batch = 2, .queries = kLength, .heads = 4, .kv_heads = 2, .d_model = 16}, random);
    c.options.causal = true;
    c.config.alibi = alibi;
    if (!alibi) c.config.rotary = RotaryConfig{.interleaved = true};
    MultiHeadAttention layer;
    ASSERT_TRUE(layer.create(c.config, c.weights(), WeightType::kFloat32).ok());
    LayerResult whole;
    ASSERT_TRUE(run_layer(layer, c.call(), &whole).ok());
    KeyValueCache cache;
    ASSERT_TRUE(cache
                    .create({.batch = 2,
                             .kv_heads = 2,
                             .head_dim = 4,
                             .value_head_dim = 4,
                             .capacity = kLength})
                    .ok());
    for (std::int64_t i = 0; i < kLength; ++i) {
      std::vector<float> token;
      for (std::int64_t b = 0; b < 2; ++b) {
        const auto start = c.query.begin() + (b * kLength + i) * 16;
        token.insert(token.end(), start, start + 16);
      }
      MultiHeadAttentionCall call;
      call.query = {token.data(), 3, {2, 1, 16}};
      call.options.causal = true;
      call.cache = &cache;
      std::vector<float> output(2 * 16);
      ASSERT_TRUE(forward(layer, call, {.output = output.data()}).ok());
      for (std::int64_t b = 0; b < 2; ++b) {
        for (std::int64_t m = 0; m < 16; ++m) {
          EXPECT_NEAR(output[static_cast<std::size_t>(b * 16 + m)],
                      whole.output[static_cast<std::size_t>((b * kLength + i) * 16 + m)], 4e-6);
        }
      }
    }
    // A full cache refuses, and holds what it held.
    MultiHeadAttentionCall call;
    call.query = {c.query.data(), 3, {2, 1, 16}};
    call.cache = &cache;
    std::vector<float> output(2 * 16);
    EXPECT_FALSE(forward(layer, call, {.output = output.data()}).ok());
    EXPECT_EQ(cache.length(), kLength);
  }
}

TEST(MultiHeadAttention, EmptyInputs) {
  Random random(10);
  LayerCase c({.batch = 1, .queries = 3, .heads = 2, .d_model = 4}, random);
  MultiHeadAttention layer;
  ASSERT_TRUE(layer.create(c.config, c.weights(), WeightType::kFloat32).ok());
  MultiHeadAttentionCall call;
  call.query = {c.query.data(), 3, {1, 0, 4}};
  EXPECT_TRUE(forward(layer, call, {}).ok());
  call.query = {c.query.data(), 3, {0, 3, 4}};
  EXPECT_TRUE(forward(layer, call, {}).ok());
  // No keys at all: heads give nothing, the bias stays.
  call.query = {c.query.data(), 3, {1, 3, 4}};
  call.key = call.value = {c.query.data(), 3, {1, 0, 4}};
  std::vector<float> output(12);
  ASSERT_TRUE(forward(layer, call, {.output = output.data()}).ok());
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(output[i], c.output_bias[i % 4]);
}

TEST(MultiHeadAttention, CountsParametersByPart) {
  const auto count = [](std::int64_t heads, std::int64_t kv_heads, bool bias) {
    MultiHeadAttentionConfig config{.d_model = 512, .num_heads = heads, .kv_heads = kv_heads};
    config.query_bias = config.key_bias = config.value_bias = config.output_bias = bias;
    ParameterCount result;
    EXPECT_TRUE(parameter_count(config, &result).ok());
    return result;
  };
  EXPECT_EQ(count(8, 8, false).total, 1048576);
  EXPECT_EQ(count(512, 512, false).total, 1048576);
  EXPECT_EQ(count(8, 8, true).total, 1050624);
  EXPECT_EQ(count(8, 2, false).total, 655360);
  EXPECT_EQ(count(8, 2, false).key, 512 * 128);
  EXPECT_EQ(count(8, 1, true).biases, 512 + 64 + 64 + 512);
}

TEST(MultiHeadAttention, SaysWhatDoesNotFit) {
  Random random(11);
  LayerCase c({.batch = 1, .queries = 4, .heads = 3, .d_model = 6}, random);
  MultiHeadAttention layer;
  const auto expect_error = [](const Status& status, const char* argument,
                               std::initializer_list<const char*> mentions) {
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(status.argument(), argument);
    for (const char* mention : mentions) {
      EXPECT_NE((status.expected() + " " + status.received()).find(mention), std::string::npos)
          << mention << " in: " << status.expected() << "; " << status.received();
    }
  };
  MultiHeadAttentionConfig config = c.config;
  config.num_heads = 4;
  expect_error(layer.create(config, c.weights(), WeightType::kFloat32), "numHeads", {"6", "4"});
  config = c.config;
  config.kv_heads = 2;
  expect_error(layer.create(config, c.weights(), WeightType::kFloat32), "kvHeads", {"3", "2"});
  MultiHeadAttentionWeights weights = c.weights();
  weights.query.dims[1] = 5;
  expect_error(layer.create(c.config, weights, WeightType::kFloat32), "weights.query", {"5", "6"});
  weights = c.weights();
  weights.output.dims[1] = 7;
  expect_error(layer.create(c.config, weights, WeightType::kFloat32), "weights.output", {"7", "6"});
  weights = c.weights();
  weights.value = {};
  expect_error(layer.create(c.config, weights, WeightType::kFloat32), "weights.value", {"nothing"});
  weights = c.fused_weights();
  weights.qkv.dims[0] = 17;
  expect_error(layer.create(c.config, weights, WeightType::kFloat32), "weights.qkv", {"17", "18"});
  config = c.config;
  config.rotary = RotaryConfig{.dim = 3};
  expect_error(layer.create(config, c.weights(), WeightType::kFloat32), "rotary.dim", {"2", "3"});

  ASSERT_TRUE(layer.create(c.config, c.weights(), WeightType::kFloat32).ok());
  AttentionShape shape;
  MultiHeadAttentionCall call = c.call();
  call.key = {c.query.data(), 3, {1, 2, 8}};
  expect_error(layer.validate(call, &shape), "value", {"key without value"});
  call.value = {c.query.data(), 3, {1, 2, 6}};
  expect_error(layer.validate(call, &shape), "weights.key", {"6", "8"});
  call = c.call();
  call.query.rank = 2;
  expect_error(layer.validate(call, &shape), "query", {"rank 2"});
  call = c.call();
  call.query.dims[2] = 5;
  expect_error(layer.validate(call, &shape), "query", {"5", "6"});
  call = c.call();
  const std::vector<std::uint8_t> key_mask = {1, 1, 0};
  call.options.key_mask = key_mask.data();
  call.options.key_mask_rank = 2;
  call.options.key_mask_dims = {1, 3};
  expect_error(layer.validate(call, &shape), "keyMask", {"3", "4"});
  call = c.call();
  call.positions_rank = 1;
  call.positions_dims = {4};
  expect_error(layer.validate(call, &shape), "positions", {"rotary"});
}

}  // namespace
}  // namespace headwise
