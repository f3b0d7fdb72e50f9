// Small random models of every architecture against double precision, activation by activation; and
// decoding with a cache against decoding without.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "headwise/transformer_run.hpp"
#include "support/reference_transformer.hpp"
#include "support/transformer_case.hpp"

namespace headwise {
namespace {

using test::Random;
using test::ReferenceInput;
using test::TransformerCase;

struct Architecture {
  const char* name;
  TransformerConfig config;
};

TransformerConfig decoder() {
  TransformerConfig c = test::small_encoder();
  c.kind = TransformerKind::kDecoder;
  c.norm_placement = NormPlacement::kPre;
  c.embedding_norm = false;
  c.final_norm = true;
  c.token_types = 0;
  c.activation = ActivationFunction::kGeluTanh;
  c.head = HeadKind::kLanguageModel;
  return c;
}

TransformerConfig llama() {
  TransformerConfig c = decoder();
  c.norm = NormKind::kRms;
  c.num_heads = 4;
  c.kv_heads = 2;
  c.head_dim = 6;
  c.positions = PositionKind::kRotary;
  c.rotary.base = 100.0;
  c.attention_bias = c.output_bias = c.mlp_bias = false;
  c.activation = ActivationFunction::kSilu;
  c.gated_mlp = true;
  c.tied_head = false;
  return c;
}

TransformerConfig gemma() {
  TransformerConfig c = llama();
  c.norm_placement = NormPlacement::kSandwich;
  c.activation = ActivationFunction::kGeluTanh;
  c.tied_head = true;
  c.embedding_scale = std::sqrt(12.0);
  c.attention_scale = 0.3;
  c.attention_softcap = 2.0;
  c.logit_softcap = 1.5;
  c.window = 3;
  c.global_every = 2;
  return c;
}

TransformerConfig encoder_decoder() {
  TransformerConfig c = test::small_encoder();
  c.kind = TransformerKind::kEncoderDecoder;
  c.decoder_layers = 3;
  c.token_types = 0;
  c.position_offset = 2;
  c.head = HeadKind::kLanguageModel;
  c.head_bias = true;
  return c;
}

TransformerConfig t5() {
  TransformerConfig c = encoder_decoder();
  c.norm = NormKind::kRms;
  c.norm_placement = NormPlacement::kPre;
  c.embedding_norm = false;
  c.final_norm = true;
  c.max_positions = 0;
  c.head_dim = 5;
  c.positions = PositionKind::kRelative;
  c.relative_buckets = 8;
  c.relative_max_distance = 12;
  c.attention_bias = c.output_bias = c.mlp_bias = c.head_bias = false;
  c.attention_scale = 1.0;
  c.activation = ActivationFunction::kRelu;
  c.logit_scale = 1.0 / std::sqrt(12.0);
  return c;
}

TransformerConfig vision() {
  TransformerConfig c = decoder();
  c.kind = TransformerKind::kVision;
  c.activation = ActivationFunction::kGelu;
  c.vocabulary = 0;
  c.max_positions = 0;
  c.head = HeadKind::kClassifier;
  c.head_bias = true;
  c.labels = 7;
  c.image = {.size = 6, .patch = 2, .channels = 3, .class_tokens = 2};
  return c;
}

std::vector<Architecture> architectures() {
  TransformerConfig masked = test::small_encoder();
  masked.head = HeadKind::kMaskedLanguageModel;
  masked.head_bias = true;
  TransformerConfig electra = masked;
  electra.d_embedding = 8;
  electra.tied_head = true;
  TransformerConfig roberta = test::small_encoder();
  roberta.position_offset = 2;
  roberta.token_types = 1;
  TransformerConfig llama3 = llama();
  llama3.rotary.scaling = 4.0;
  llama3.rotary.original_positions = 16;
  TransformerConfig qwen = llama();
  qwen.attention_bias = true;
  qwen.window = 2;
  qwen.rotary.scaling = 2.0;
  TransformerConfig marian = encoder_decoder();
  marian.positions = PositionKind::kSinusoidal;
  marian.embedding_norm = false;
  marian.embedding_scale = std::sqrt(12.0);
  marian.activation = ActivationFunction::kSilu;
  TransformerConfig gated_t5 = t5();
  gated_t5.gated_mlp = true;
  gated_t5.activation = ActivationFunction::kGeluTanh;
  gated_t5.tied_head = false;
  gated_t5.logit_scale = 1.0;
  TransformerConfig features = vision();
  features.head = HeadKind::kNone;
  features.head_bias = false;
  features.labels = 0;
  features.image.class_tokens = 1;
  return {{"encoder", test::small_encoder()},
          {"masked-LM encoder", masked},
          {"narrow embedding", electra},
          {"position offset", roberta},
          {"GPT-2", decoder()},
          {"Llama", llama()},
          {"Llama 3.1", llama3},
          {"Qwen2 with window", qwen},
          {"Gemma 2", gemma()},
          {"BART", encoder_decoder()},
          {"Marian", marian},
          {"T5", t5()},
          {"gated T5", gated_t5},
          {"ViT classifier", vision()},
          {"ViT", features}};
}

ReferenceInput random_input(const TransformerConfig& config, std::int64_t batch,
                            std::int64_t length, Random* random) {
  ReferenceInput in;
  in.batch = batch;
  const auto ids = [&](std::int64_t count, std::int64_t most) {
    std::vector<std::int32_t> list;
    for (std::int64_t i = 0; i < count; ++i) {
      list.push_back(static_cast<std::int32_t>(random->integer(0, most - 1)));
    }
    return list;
  };
  if (config.kind == TransformerKind::kVision) {
    in.pixels =
        random->normals(batch * config.image.channels * config.image.size * config.image.size);
    return in;
  }
  in.ids = ids(batch * length, config.vocabulary);
  if (config.token_types > 0) in.types = ids(batch * length, config.token_types);
  for (std::int64_t i = 0; i < batch * length; ++i) {
    in.key_mask.push_back(i % length == 0 || i < length || i % length < length - 2 ? 1 : 0);
  }
  if (config.kind == TransformerKind::kEncoderDecoder) in.decoder_ids = ids(batch * 5, 17);
  return in;
}

TransformerInput as_input(const ReferenceInput& in) {
  TransformerInput input;
  input.batch = in.batch;
  input.ids = in.ids.empty() ? nullptr : in.ids.data();
  input.length = static_cast<std::int64_t>(in.ids.size()) / in.batch;
  input.type_ids = in.types.empty() ? nullptr : in.types.data();
  input.key_mask = in.key_mask.empty() ? nullptr : in.key_mask.data();
  input.decoder_ids = in.decoder_ids.empty() ? nullptr : in.decoder_ids.data();
  input.decoder_length = static_cast<std::int64_t>(in.decoder_ids.size()) / in.batch;
  input.pixels = in.pixels.empty() ? nullptr : in.pixels.data();
  return input;
}

Status run(const Transformer& transformer, const TransformerInput& input, const RunOptions& options,
           TransformerRun* result) {
  HEADWISE_RETURN_IF_ERROR(result->begin(transformer, input, options));
  for (bool done = false; !done;) HEADWISE_RETURN_IF_ERROR(result->step(&done));
  return {};
}

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
    ASSERT_TRUE(status.ok()) << status.argument << ": " << status.received;
    ASSERT_TRUE(c.set_all(&transformer).ok());
    for (const std::int64_t length : {1, 7}) {
      const ReferenceInput in = random_input(architecture.config, 2, length, &random);
      TransformerRun got;
      status = run(transformer, as_input(in), {.names = {"*"}}, &got);
      ASSERT_TRUE(status.ok()) << status.argument << ": " << status.expected << ", "
                               << status.received;
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
      EXPECT_EQ(status.code, StatusCode::kUnsupported) << left_out;
      // A table that each run judges row by row is named as what was expected.
      EXPECT_NE((status.received + status.expected).find(left_out), std::string::npos)
          << status.received;
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
      ASSERT_TRUE(status.ok()) << status.expected;
      EXPECT_EQ(copied(part.output()), copied(whole.output())) << block;
      EXPECT_EQ(part.cache().activations().size(), 1U);
      if (two && block >= config.num_layers) {  // not without what the encoder made
        options.encoded = nullptr;
        EXPECT_EQ(run(transformer, input, options, &part).argument, "startAtLayer");
      }
    }
    const RunOptions beyond{.stop_at_layer = blocks + 1};
    EXPECT_EQ(run(transformer, input, beyond, &part).argument, "stopAtLayer");
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
  EXPECT_EQ(status.argument, "decoderKeyMask");
}

// Logits of the last position, for a text read in pieces of these lengths.
std::vector<float> decode(const Transformer& transformer, const ReferenceInput& in,
                          const std::vector<std::int64_t>& pieces) {
  const bool two = transformer.config().kind == TransformerKind::kEncoderDecoder;
  const std::vector<std::int32_t>& text = two ? in.decoder_ids : in.ids;
  DecodingCache cache;
  EXPECT_TRUE(cache.create(transformer, 1, static_cast<std::int64_t>(text.size())).ok());
  TransformerRun result;
  const std::int32_t* next = text.data();
  std::vector<float> logits;
  for (const std::int64_t piece : pieces) {
    TransformerInput input;
    if (two) {
      if (next == text.data()) {
        input = as_input(in);
      }
      input.decoder_ids = next;
      input.decoder_length = piece;
    } else {
      input.ids = next;
      input.length = piece;
    }
    const Status status =
        run(transformer, input, {.output = RunOutput::kLast, .cache = &cache}, &result);
    EXPECT_TRUE(status.ok()) << status.argument << ": " << status.expected << ", "
                             << status.received;
    next += piece;
    EXPECT_EQ(cache.length(), next - text.data());
    const auto output = result.output();
    EXPECT_EQ(output.dims[1], 1);
    logits.assign(output.data, output.data + output.size());
  }
  return logits;
}

TEST(Decoding, PiecesOfATextGiveWhatTheWholeGives) {
  for (const Architecture& architecture : architectures()) {
    const TransformerConfig& config = architecture.config;
    if (config.head != HeadKind::kLanguageModel) continue;
    SCOPED_TRACE(architecture.name);
    for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
      const TransformerCase c(8, config);
      Transformer transformer;
      ASSERT_TRUE(transformer.create(config, type).ok());
      ASSERT_TRUE(c.set_all(&transformer).ok());
      Random random(9);
      ReferenceInput in = random_input(config, 1, 5, &random);
      if (config.kind == TransformerKind::kDecoder) in.key_mask.clear();
      TransformerRun whole;
      ASSERT_TRUE(run(transformer, as_input(in), {}, &whole).ok());
      const auto output = whole.output();
      const float* last = output.data + output.size() - config.vocabulary;
      for (const std::vector<std::int64_t>& pieces :
           {std::vector<std::int64_t>{5}, {1, 1, 1, 1, 1}, {3, 2}, {2, 1, 1, 1}}) {
        const std::vector<float> logits = decode(transformer, in, pieces);
        ASSERT_EQ(logits.size(), static_cast<std::size_t>(config.vocabulary));
        for (std::size_t i = 0; i < logits.size(); ++i) {
          EXPECT_NEAR(logits[i], last[i], 1e-5 * std::fmax(1.0, std::fabs(last[i])));
        }
      }
    }
  }
}

TEST(Decoding, SaysWhatIsWrongAndKeepsItsPast) {
  const TransformerCase c(8, llama());
  Transformer transformer;
  ASSERT_TRUE(transformer.create(c.config, WeightType::kFloat32).ok());
  ASSERT_TRUE(c.set_all(&transformer).ok());
  DecodingCache cache;
  EXPECT_EQ(DecodingCache().length(), 0);
  ASSERT_TRUE(cache.create(transformer, 1, 4).ok());
  const std::vector<std::int32_t> ids = {1, 2, 3, 4, 5};
  TransformerRun result;
  const RunOptions options{.output = RunOutput::kLast, .cache = &cache};
  ASSERT_TRUE(run(transformer, {.ids = ids.data(), .length = 3}, options, &result).ok());
  // More than the cache holds: an error of the first layer, after which it has what it had.
  Status status = run(transformer, {.ids = ids.data(), .length = 2}, options, &result);
  EXPECT_EQ(status.argument, "cache");
  EXPECT_EQ(cache.length(), 3);
  ASSERT_TRUE(run(transformer, {.ids = ids.data() + 3, .length = 1}, options, &result).ok());
  EXPECT_EQ(cache.length(), 4);
  ASSERT_TRUE(cache.truncate(2).ok());
  const std::vector<std::uint8_t> mask = {1};
  status =
      result.begin(transformer, {.ids = ids.data(), .length = 1, .key_mask = mask.data()}, options);
  EXPECT_EQ(status.argument, "keyMask");
  status = result.begin(transformer, {.ids = ids.data(), .batch = 2, .length = 1}, options);
  EXPECT_EQ(status.argument, "cache");

  const TransformerCase encoder(8);
  Transformer bert;
  ASSERT_TRUE(bert.create(encoder.config, WeightType::kFloat32).ok());
  ASSERT_TRUE(encoder.set_all(&bert).ok());
  EXPECT_EQ(cache.create(bert, 1, 4).code, StatusCode::kUnsupported);
  status = result.begin(bert, {.ids = ids.data(), .length = 2}, {.output = RunOutput::kLast});
  EXPECT_EQ(status.code, StatusCode::kUnsupported);
}

TEST(Decoding, AnEncoderIsReadOnce) {
  const TransformerCase c(8, t5());
  Transformer transformer;
  ASSERT_TRUE(transformer.create(c.config, WeightType::kFloat32).ok());
  ASSERT_TRUE(c.set_all(&transformer).ok());
  DecodingCache cache;
  ASSERT_TRUE(cache.create(transformer, 1, 4).ok());
  const std::vector<std::int32_t> ids = {1, 2, 3};
  const RunOptions options{.output = RunOutput::kLast, .cache = &cache};
  TransformerRun result;
  const TransformerInput later{.decoder_ids = ids.data(), .decoder_length = 1};
  EXPECT_EQ(result.begin(transformer, later, options).argument, "ids");
  TransformerInput first = later;
  first.ids = ids.data();
  first.length = 3;
  ASSERT_TRUE(run(transformer, first, options, &result).ok());
  const std::int64_t steps = result.steps();
  EXPECT_EQ(result.begin(transformer, first, options).argument, "ids");
  ASSERT_TRUE(run(transformer, later, options, &result).ok());
  EXPECT_EQ(result.steps(), steps - 4);  // embedding, two blocks and norm of the encoder
}

TEST(Architectures, RefusesWhatDoesNotFit) {
  Transformer transformer;
  const auto argument = [&](TransformerConfig config, auto change) {
    change(&config);
    return transformer.create(config, WeightType::kFloat32).argument;
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
