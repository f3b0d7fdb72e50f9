// Small random models of every architecture against double precision, activation by activation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "headwise/transformer_run.hpp"
#include "support/reference_transformer.hpp"
#include "support/small_architectures.hpp"
#include "support/transformer_case.hpp"

namespace headwise {
namespace {

using test::Architecture;
using test::architectures;
using test::as_input;
using test::decoder;
using test::gemma;
using test::llama;
using test::Random;
using test::random_input;
using test::ReferenceInput;
using test::run;
using test::t5;
using test::TransformerCase;
using test::vision;

void expect_near(const float* got, const std::vector<double>& expected, const std::string& name) {
  double largest = 1.0;
  for (const double value : expected) {
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isinf(expected[i])) {
      ASSERT_EQ(got[i], expected[i]) << name << " [" << i << "]";
    } else {
      ASSERT_NEAR(got[i], expected[i], 6e-6 * largest) << name << " [" << i << "]";
    }
  }
}

TEST(Architectures, EveryActivationMatchesDoublePrecision) {
  for (const Architecture& architecture : architectures()) {
    SCOPED_TRACE(architecture.name);
    Random random(5);
    const TransformerCase c(3, architecture.config);
    Transformer transformer;
    Status status = transformer.create(architecture.config, WeightType::kFloat32);
    ASSERT_TRUE(status.ok()) << status.argument() << ": " << status.received();
    ASSERT_TRUE(c.set_all(&transformer).ok());
    for (const std::int64_t length : {1, 7}) {
      const ReferenceInput in = random_input(architecture.config, 2, length, &random);
      TransformerRun got;
      status = run(transformer, as_input(in), {.names = {"*"}}, &got);
      ASSERT_TRUE(status.ok()) << status.argument() << ": " << status.expected() << ", "
                               << status.received();
      const test::ReferenceTransformer expected(c, in);
      EXPECT_EQ(transformer.activation_names().size(), expected.by_name.size());
      for (const std::string& name : transformer.activation_names()) {
        ASSERT_TRUE(expected.by_name.contains(name)) << name;
        const std::vector<double>& values = expected.by_name.at(name);
        const Activation* activation = got.cache().find(name);
        ASSERT_NE(activation, nullptr) << name;
        ASSERT_EQ(activation->data.size(), static_cast<std::int64_t>(values.size())) << name;
        expect_near(activation->data.data(), values, name);
      }
      ASSERT_EQ(got.output().size(), static_cast<std::int64_t>(expected.output.size()));
      expect_near(got.output().data, expected.output, "output");
    }
  }
}

TEST(Architectures, WhatIsKeptDoesNotChangeTheOutput) {
  for (const Architecture& architecture : architectures()) {
    SCOPED_TRACE(architecture.name);
    for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
      Random random(6);
      const TransformerCase c(4, architecture.config);
      Transformer transformer;
      ASSERT_TRUE(transformer.create(architecture.config, type).ok());
      ASSERT_TRUE(c.set_all(&transformer).ok());
      const ReferenceInput in = random_input(architecture.config, 2, 6, &random);
      TransformerRun plain;
      ASSERT_TRUE(run(transformer, as_input(in), {}, &plain).ok());
      for (const char* names : {"*", "*.hook_scale", "*.mlp.hook_post"}) {
        TransformerRun kept;
        ASSERT_TRUE(run(transformer, as_input(in), {.names = {names}}, &kept).ok());
        for (std::int64_t i = 0; i < plain.output().size(); ++i) {
          ASSERT_EQ(kept.output().data[i], plain.output().data[i]) << names;
        }
      }
    }
  }
}

TEST(Architectures, ParametersAreReadBackAndCounted) {
  for (const Architecture& architecture : architectures()) {
    SCOPED_TRACE(architecture.name);
    const TransformerCase c(5, architecture.config);
    Transformer transformer;
    ASSERT_TRUE(transformer.create(architecture.config, WeightType::kFloat32).ok());
    std::int64_t total = 0;
    for (const std::string& name : c.names) {
      // What a run needs is said by name until it has come.
      ASSERT_FALSE(transformer.copy_parameter(name, nullptr).ok()) << name;
      ASSERT_TRUE(c.set(name, &transformer).ok()) << name;
      std::vector<float> values(c.values.at(name).size());
      ASSERT_TRUE(transformer.copy_parameter(name, values.data()).ok()) << name;
      EXPECT_EQ(values, c.values.at(name)) << name;
      total += static_cast<std::int64_t>(values.size());
    }
    EXPECT_EQ(transformer.parameter_count(), total);
  }
}

TEST(Architectures, ARunNeedsEveryParameter) {
  for (const Architecture& architecture : architectures()) {
    SCOPED_TRACE(architecture.name);
    const TransformerCase c(6, architecture.config);
    Random random(7);
    const ReferenceInput in = random_input(architecture.config, 1, 3, &random);
    for (const std::string& left_out : c.names) {
      Transformer transformer;
      ASSERT_TRUE(transformer.create(architecture.config, WeightType::kFloat32).ok());
      for (const std::string& name : c.names) {
        if (name != left_out) {
          ASSERT_TRUE(c.set(name, &transformer).ok());
        }
      }
      TransformerRun result;
      const Status status = result.begin(transformer, as_input(in), {});
      EXPECT_EQ(status.code(), StatusCode::kUnsupported) << left_out;
      // A table that each run judges row by row is named as what was expected.
      EXPECT_NE((status.received() + status.expected()).find(left_out), std::string::npos)
          << status.received();
    }
  }
}

std::vector<float> copied(const Tensor<const float, 3>& values) {
  return {values.data, values.data + values.size()};
}

TEST(Architectures, ARunGoesOnFromAnyBlockOfBothStacks) {
  for (const Architecture& architecture : architectures()) {
    if (architecture.config.kind == TransformerKind::kVision) continue;
    SCOPED_TRACE(architecture.name);
    const TransformerConfig& config = architecture.config;
    const TransformerCase c(10, config);
    Transformer transformer;
    ASSERT_TRUE(transformer.create(config, WeightType::kFloat32).ok());
    ASSERT_TRUE(c.set_all(&transformer).ok());
    Random random(11);
    const ReferenceInput in = random_input(config, 2, 7, &random);
    const std::vector<std::uint8_t> decoder_mask = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
    TransformerInput input = as_input(in);
    const bool two = config.kind == TransformerKind::kEncoderDecoder;
    if (two) input.decoder_key_mask = decoder_mask.data();
    TransformerRun whole;
    ASSERT_TRUE(run(transformer, input, {}, &whole).ok());
    EXPECT_EQ(whole.encoded().data != nullptr, two);
    const std::int64_t blocks = config.num_layers + (two ? config.decoder_layers : 0);
    TransformerRun part;
    for (std::int64_t block = 0; block < blocks; ++block) {
      ASSERT_TRUE(run(transformer, input, {.stop_at_layer = block}, &part).ok());
      const std::vector<float> stream = copied(part.output());
      const std::vector<float> encoded = copied(part.encoded());
      EXPECT_EQ(encoded.empty(), !two || block < config.num_layers);
      const std::string name =
          two ? (block < config.num_layers ? "encoder." + std::to_string(block)
                                           : "decoder." + std::to_string(block - config.num_layers))
              : "blocks." + std::to_string(block);
      RunOptions options{.names = {name + ".attn.hook_pattern"},
                         .start_at_layer = block,
                         .stream = stream.data(),
                         .encoded = encoded.data()};
      const Status status = run(transformer, input, options, &part);
      ASSERT_TRUE(status.ok()) << status.expected();
      EXPECT_EQ(copied(part.output()), copied(whole.output())) << block;
      EXPECT_EQ(part.cache().activations().size(), 1U);
      if (two && block >= config.num_layers) {  // not without what the encoder made
        options.encoded = nullptr;
        EXPECT_EQ(run(transformer, input, options, &part).argument(), "startAtLayer");
      }
    }
    const RunOptions beyond{.stop_at_layer = blocks + 1};
    EXPECT_EQ(run(transformer, input, beyond, &part).argument(), "stopAtLayer");
  }
}

TEST(Architectures, WhatADecoderMaskHidesIsSeenByNoOne) {
  const TransformerCase c(12, t5());
  Transformer transformer;
  ASSERT_TRUE(transformer.create(c.config, WeightType::kFloat32).ok());
  ASSERT_TRUE(c.set_all(&transformer).ok());
  const std::vector<std::int32_t> ids = {1, 2, 3};
  const std::vector<std::int32_t> decoder_ids = {4, 5, 6, 7};
  const std::vector<std::uint8_t> mask = {0, 1, 1, 0};
  TransformerInput input{.ids = ids.data(), .length = 3, .decoder_ids = decoder_ids.data()};
  input.decoder_length = 4;
  input.decoder_key_mask = mask.data();
  TransformerRun result;
  ASSERT_TRUE(run(transformer, input, {.names = {"decoder.*.attn.hook_pattern"}}, &result).ok());
  for (const Activation& pattern : result.cache().activations()) {
    for (std::int64_t row = 1; row < 3 * c.config.num_heads; ++row) {
      const float* weights = pattern.data.data() + row * 4;
      EXPECT_EQ(weights[0], 0.0F) << pattern.name;
      EXPECT_EQ(weights[3], 0.0F) << pattern.name;
    }
  }
  // A shuffle leaves hidden positions where they are.
  const auto outputs = [&](std::uint64_t seed) {
    Intervention shuffle;
    shuffle.name = "decoder.0.attn.hook_z";
    shuffle.kind = InterventionKind::kShuffle;
    shuffle.seed = seed;
    const RunOptions options{.names = {"decoder.0.hook_attn_out"}, .interventions = {shuffle}};
    EXPECT_TRUE(run(transformer, input, options, &result).ok());
    const Buffer<float>& out = result.cache().activations().front().data;
    return std::vector<float>(out.data(), out.data() + out.size());
  };
  const auto width = static_cast<std::size_t>(c.config.d_model);
  std::vector<float> first = outputs(0);
  bool moved = false;
  for (std::uint64_t seed = 1; seed < 8; ++seed) {
    const std::vector<float> other = outputs(seed);
    moved = moved ||
            !std::equal(first.begin() + width, first.begin() + 2 * width, other.begin() + width);
    EXPECT_TRUE(std::equal(first.begin(), first.begin() + width, other.begin()));
    EXPECT_TRUE(std::equal(first.begin() + 3 * width, first.end(), other.begin() + 3 * width));
  }
  EXPECT_TRUE(moved);

  DecodingCache cache;
  ASSERT_TRUE(cache.create(transformer, 1, 4).ok());
  const Status status = run(transformer, input, {.cache = &cache}, &result);
  EXPECT_EQ(status.argument(), "decoderKeyMask");
}

TEST(Architectures, AnEncoderReadsSomething) {
  const TransformerCase c(8, t5());
  Transformer transformer;
  ASSERT_TRUE(transformer.create(c.config, WeightType::kFloat32).ok());
  ASSERT_TRUE(c.set_all(&transformer).ok());
  const std::vector<std::int32_t> ids = {1, 2};
  TransformerRun result;
  const TransformerInput input{.decoder_ids = ids.data(), .decoder_length = 2};
  EXPECT_EQ(run(transformer, input, {}, &result).argument(), "ids");
}

TEST(Architectures, RefusesWhatDoesNotFit) {
  Transformer transformer;
  const auto argument = [&](TransformerConfig config, auto change) {
    change(&config);
    return transformer.create(config, WeightType::kFloat32).argument();
  };
  using C = TransformerConfig;
  EXPECT_EQ(argument(llama(), [](C* c) { c->kv_heads = 3; }), "kvHeads");
  EXPECT_EQ(argument(llama(), [](C* c) { c->head_dim = 5; }), "rotary.dim");
  EXPECT_EQ(argument(llama(), [](C* c) { c->rotary.base = 0.0; }), "rotary.base");
  EXPECT_EQ(argument(gemma(), [](C* c) { c->attention_softcap = -1.0; }), "attentionSoftcap");
  EXPECT_EQ(argument(gemma(), [](C* c) { c->logit_softcap = NAN; }), "logitSoftcap");
  EXPECT_EQ(argument(gemma(), [](C* c) { c->attention_scale = 0.0; }), "attentionScale");
  EXPECT_EQ(argument(gemma(), [](C* c) { c->window = -2; }), "window");
  EXPECT_EQ(argument(test::small_encoder(), [](C* c) { c->window = 4; }), "window");
  EXPECT_EQ(argument(test::small_encoder(), [](C* c) { c->decoder_layers = 1; }), "decoderLayers");
  EXPECT_EQ(argument(t5(), [](C* c) { c->decoder_layers = 0; }), "decoderLayers");
  EXPECT_EQ(argument(t5(), [](C* c) { c->relative_buckets = 0; }), "relative.buckets");
  EXPECT_EQ(argument(t5(), [](C* c) { c->relative_max_distance = 2; }), "relative.maxDistance");
  EXPECT_EQ(argument(vision(), [](C* c) { c->image.patch = 4; }), "image.patch");
  EXPECT_EQ(argument(vision(), [](C* c) { c->labels = 0; }), "labels");
  EXPECT_EQ(argument(vision(), [](C* c) { c->head = HeadKind::kLanguageModel; }), "head");
  EXPECT_EQ(argument(decoder(), [](C* c) { c->d_embedding = 8; }), "dEmbedding");
  EXPECT_EQ(argument(decoder(), [](C* c) { c->embedding_scale = INFINITY; }), "embeddingScale");
}

}  // namespace
}  // namespace headwise
