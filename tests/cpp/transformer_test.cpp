// A small random encoder and the rules of runs: what is kept, when a run may start, what
// interventions reach. Numbers are judged in architectures_test.cpp and golden_encoder_test.cpp.
#include "headwise/pooling.hpp"
#include "headwise/transformer_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "support/transformer_case.hpp"

namespace headwise {
namespace {

using test::TransformerCase;

const std::vector<std::int32_t> kIds = {1, 5, 16, 0, 7, 7, 2, 3, 11, 4, 9, 0};
const std::vector<std::int32_t> kTypes = {0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1};
const std::vector<std::uint8_t> kKeyMask = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0};
constexpr std::int64_t kBatch = 2;
constexpr std::int64_t kLength = 6;
const TransformerInput kInput = {.ids = kIds.data(),
                                 .batch = kBatch,
                                 .length = kLength,
                                 .type_ids = kTypes.data(),
                                 .key_mask = kKeyMask.data()};

struct Model {
  TransformerCase encoder{1};
  Transformer transformer;

  explicit Model(WeightType type = WeightType::kFloat32) {
    EXPECT_TRUE(transformer.create(encoder.config, type).ok());
    EXPECT_TRUE(encoder.set_all(&transformer).ok());
  }
};

Status run(const Transformer& transformer, const RunOptions& options, TransformerRun* result) {
  HEADWISE_RETURN_IF_ERROR(result->begin(transformer, kInput, options));
  for (bool done = false; !done;) HEADWISE_RETURN_IF_ERROR(result->step(&done));
  return {};
}

std::vector<float> output_of(const Transformer& transformer, const RunOptions& options) {
  TransformerRun result;
  const Status status = run(transformer, options, &result);
  EXPECT_TRUE(status.ok()) << status.argument() << ": " << status.expected() << ", "
                           << status.received();
  const Tensor<const float, 3> output = result.output();
  return output.data == nullptr ? std::vector<float>{}
                                : std::vector<float>(output.data, output.data + output.size());
}

TEST(Transformer, ActivationsFitEachOther) {
  const Model model;
  TransformerRun got;
  ASSERT_TRUE(run(model.transformer, {.names = {"*"}}, &got).ok());
  const auto get = [&](const char* name) { return got.cache().find(name)->data.data(); };
  const std::int64_t heads = 3;
  const std::int64_t width = 12;
  EXPECT_EQ(got.cache().find("blocks.1.attn.hook_z")->dims,
            (std::vector<std::int64_t>{kBatch, kLength, heads, width / heads}));
  EXPECT_EQ(got.cache().find("blocks.1.attn.hook_result")->dims,
            (std::vector<std::int64_t>{kBatch, kLength, heads, width}));
  const float* result = get("blocks.1.attn.hook_result");
  const float* out = get("blocks.1.hook_attn_out");
  const std::vector<float>& bias = model.encoder.values.at("blocks.1.attn.output.bias");
  for (std::int64_t row = 0; row < kBatch * kLength; ++row) {
    for (std::int64_t d = 0; d < width; ++d) {
      double sum = bias[static_cast<std::size_t>(d)];
      for (std::int64_t h = 0; h < heads; ++h) sum += result[(row * heads + h) * width + d];
      EXPECT_NEAR(sum, out[row * width + d], 1e-5);
    }
  }
  // Scores are masked: -inf at padded keys, whose weights are then exactly zero.
  const float* scores = get("blocks.0.attn.hook_attn_scores");
  const float* pattern = get("blocks.0.attn.hook_pattern");
  for (std::int64_t row = 0; row < kBatch * heads * kLength; ++row) {
    float sum = 0.0F;
    for (std::int64_t j = 0; j < kLength; ++j) {
      const bool real = kKeyMask[static_cast<std::size_t>(row / (heads * kLength) * kLength + j)];
      EXPECT_EQ(std::isinf(scores[row * kLength + j]), !real);
      EXPECT_EQ(pattern[row * kLength + j] == 0.0F, !real);
      sum += pattern[row * kLength + j];
    }
    EXPECT_NEAR(sum, 1.0F, 1e-6F);
  }
}

TEST(Transformer, WhatIsKeptDoesNotChangeTheOutput) {
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    const Model model(type);
    const std::vector<float> plain = output_of(model.transformer, {});
    for (const char* names : {"*", "*.hook_pattern", "*.hook_mlp_out", "*.mlp.hook_post"}) {
      EXPECT_EQ(output_of(model.transformer, {.names = {names}}), plain) << names;
    }
  }
}

TEST(Transformer, ASequenceHasTheSameOutputAloneAndInABatch) {
  const Model model;
  const std::vector<float> both = output_of(model.transformer, {});
  for (std::int64_t b = 0; b < kBatch; ++b) {
    TransformerRun alone;
    ASSERT_TRUE(alone
                    .begin(model.transformer,
                           {.ids = kIds.data() + b * kLength,
                            .length = kLength,
                            .type_ids = kTypes.data() + b * kLength,
                            .key_mask = kKeyMask.data() + b * kLength},
                           {})
                    .ok());
    for (bool done = false; !done;) ASSERT_TRUE(alone.step(&done).ok());
    for (std::int64_t i = 0; i < kLength * 12; ++i) {
      EXPECT_EQ(alone.output().data[i], both[static_cast<std::size_t>(b * kLength * 12 + i)]);
    }
  }
}

TEST(Transformer, BlocksAreReadyInTheirOrder) {
  const TransformerCase encoder(2);
  Transformer transformer;
  ASSERT_TRUE(transformer.create(encoder.config, WeightType::kInt8).ok());
  RunOptions pattern{.names = {"blocks.0.attn.hook_pattern"}};
  pattern.output = RunOutput::kNone;
  TransformerRun early;
  std::vector<float> first_pattern;
  for (const std::string& name : encoder.names) {
    const std::int64_t ready = transformer.ready_blocks();
    const std::int64_t patterns = transformer.ready_patterns();
    EXPECT_TRUE(patterns == ready || patterns == ready + 1);
    ASSERT_TRUE(encoder.set(name, &transformer).ok());
    if (name == "blocks.0.attn.key.weight") {
      EXPECT_EQ(transformer.ready_patterns(), 0);
    }
    if (name == "blocks.0.attn.key.bias") {
      EXPECT_EQ(transformer.ready_patterns(), 1);
      EXPECT_EQ(transformer.ready_blocks(), 0);
      ASSERT_TRUE(run(transformer, pattern, &early).ok());
      const Activation& kept = *early.cache().find("blocks.0.attn.hook_pattern");
      first_pattern.assign(kept.data.data(), kept.data.data() + kept.data.size());
      EXPECT_EQ(early.output().data, nullptr);
      const Status status = run(transformer, {}, &early);
      EXPECT_EQ(status.code(), StatusCode::kUnsupported);
      EXPECT_NE(status.received().find("blocks.0.attn.value.weight"), std::string::npos);
    }
    if (name == "blocks.0.ln2.bias") {
      EXPECT_EQ(transformer.ready_blocks(), 1);
    }
  }
  EXPECT_EQ(transformer.ready_blocks(), 2);
  EXPECT_EQ(transformer.ready_patterns(), 2);
  TransformerRun whole;
  ASSERT_TRUE(run(transformer, {.names = {"blocks.0.attn.hook_pattern"}}, &whole).ok());
  const Activation& kept = *whole.cache().find("blocks.0.attn.hook_pattern");
  EXPECT_EQ(std::vector<float>(kept.data.data(), kept.data.data() + kept.data.size()),
            first_pattern);
}

TEST(Transformer, RunsOnTheRowsThatHaveArrived) {
  const TransformerCase encoder(3);
  Transformer transformer;
  ASSERT_TRUE(transformer.create(encoder.config, WeightType::kFloat32).ok());
  for (const std::string& name : encoder.names) {
    if (name != "embed.token") {
      ASSERT_TRUE(encoder.set(name, &transformer).ok());
    }
  }
  TransformerRun result;
  EXPECT_EQ(run(transformer, {}, &result).argument(), "ids");
  const std::vector<std::int32_t> rows = {0, 1, 2, 3, 4, 5, 7, 9, 11, 16};
  std::vector<float> values;
  for (const std::int32_t row : rows) {
    const auto start = encoder.values.at("embed.token").begin() + row * 12;
    values.insert(values.end(), start, start + 12);
  }
  ASSERT_TRUE(transformer
                  .set_embedding_rows("embed.token", rows.data(),
                                      static_cast<std::int64_t>(rows.size()), values.data())
                  .ok());
  const std::vector<float> early = output_of(transformer, {});
  ASSERT_TRUE(encoder.set("embed.token", &transformer).ok());
  EXPECT_EQ(output_of(transformer, {}), early);
}

TEST(Transformer, ParametersAreReadBack) {
  const TransformerCase encoder(4);
  Transformer transformer;
  ASSERT_TRUE(transformer.create(encoder.config, WeightType::kFloat32).ok());
  for (const std::string& name : encoder.names) {
    std::vector<float> values(encoder.values.at(name).size());
    Status status = transformer.copy_parameter(name, values.data());
    EXPECT_EQ(status.code(), StatusCode::kUnsupported) << name;  // yet
    EXPECT_NE(status.received().find(name), std::string::npos);
    ASSERT_TRUE(encoder.set(name, &transformer).ok());
    std::vector<std::int64_t> dims;
    ASSERT_TRUE(transformer.parameter_dims(name, &dims).ok());
    EXPECT_EQ(dims, encoder.dims.at(name));
    status = transformer.copy_parameter(name, values.data());
    ASSERT_TRUE(status.ok()) << name;
    EXPECT_EQ(values, encoder.values.at(name)) << name;
  }
  std::vector<std::int64_t> dims;
  EXPECT_EQ(transformer.copy_parameter("blocks.0.ln3.weight", nullptr).argument(), "name");
  EXPECT_EQ(transformer.parameter_dims("blocks.2.ln1.weight", &dims).argument(), "name");
}

TEST(Transformer, ARunEndsWhereNothingMoreIsWanted) {
  const Model model;
  const auto steps = [&](const RunOptions& options) {
    TransformerRun result;
    EXPECT_TRUE(result.begin(model.transformer, kInput, options).ok());
    return result.steps();
  };
  EXPECT_EQ(steps({}), 3);
  EXPECT_EQ(steps({.names = {"hook_full_embed"}, .output = RunOutput::kNone}), 1);
  EXPECT_EQ(steps({.names = {"blocks.0.attn.hook_pattern"}, .output = RunOutput::kNone}), 2);
  EXPECT_EQ(steps({.names = {"blocks.1.hook_resid_pre"}, .output = RunOutput::kNone}), 3);
  EXPECT_EQ(steps({.stop_at_layer = 1}), 2);
  EXPECT_EQ(steps({.stop_at_layer = 0}), 1);

  // Stopped at layer 1, the output is what enters it.
  TransformerRun whole;
  ASSERT_TRUE(run(model.transformer, {.names = {"blocks.1.hook_resid_pre"}}, &whole).ok());
  const Activation& entering = *whole.cache().find("blocks.1.hook_resid_pre");
  EXPECT_EQ(output_of(model.transformer, {.stop_at_layer = 1}),
            std::vector<float>(entering.data.data(), entering.data.data() + entering.data.size()));
}

TEST(Transformer, RunsOnFromAStreamAsIfItHadRunWhole) {
  const Model model;
  const std::vector<float> whole = output_of(model.transformer, {});
  for (const std::int64_t layer : {0, 1}) {
    const std::vector<float> stream = output_of(model.transformer, {.stop_at_layer = layer});
    const RunOptions options{.start_at_layer = layer, .stream = stream.data()};
    EXPECT_EQ(output_of(model.transformer, options), whole) << layer;
  }
  const std::vector<float> stream = output_of(model.transformer, {.stop_at_layer = 1});
  RunOptions options{.names = {"*"}, .start_at_layer = 1, .stream = stream.data()};
  TransformerRun result;
  ASSERT_TRUE(run(model.transformer, options, &result).ok());
  EXPECT_EQ(result.cache().activations().front().name, "blocks.1.hook_resid_pre");

  options.names = {"blocks.0.*"};
  EXPECT_EQ(run(model.transformer, options, &result).argument(), "names");
  Intervention early;
  early.name = "blocks.0.attn.hook_z";
  options = {.interventions = {early}, .start_at_layer = 1, .stream = stream.data()};
  EXPECT_EQ(run(model.transformer, options, &result).argument(), "interventions[0]");
  EXPECT_EQ(run(model.transformer, {.start_at_layer = 1}, &result).argument(), "startAtLayer");
  options = {.stop_at_layer = 1, .start_at_layer = 2, .stream = stream.data()};
  EXPECT_EQ(run(model.transformer, options, &result).argument(), "startAtLayer");
}

TEST(Transformer, InterventionsReachEverythingBehindThem) {
  const Model model;
  const auto with = [&](std::vector<Intervention> interventions, std::vector<std::string> names,
                        TransformerRun* result) {
    const Status status =
        run(model.transformer,
            {.names = std::move(names), .interventions = std::move(interventions)}, result);
    ASSERT_TRUE(status.ok()) << status.expected() << ", " << status.received();
  };
  Intervention zero;
  zero.name = "blocks.0.attn.hook_z";
  zero.head = 1;
  TransformerRun changed;
  TransformerRun plain;
  with({zero}, {"*"}, &changed);
  with({}, {"*"}, &plain);
  const auto get = [](const TransformerRun& r, const char* name) {
    const Activation& a = *r.cache().find(name);
    return std::vector<float>(a.data.data(), a.data.data() + a.data.size());
  };
  EXPECT_EQ(get(changed, "blocks.0.attn.hook_pattern"), get(plain, "blocks.0.attn.hook_pattern"));
  EXPECT_NE(get(changed, "blocks.0.hook_attn_out"), get(plain, "blocks.0.hook_attn_out"));
  EXPECT_NE(get(changed, "blocks.1.attn.hook_pattern"), get(plain, "blocks.1.attn.hook_pattern"));
  const std::vector<float> z = get(changed, "blocks.0.attn.hook_z");
  const std::vector<float> shares = get(changed, "blocks.0.attn.hook_result");
  for (std::size_t row = 0; row < kBatch * kLength; ++row) {
    EXPECT_EQ(z[row * 12 + 4], 0.0F);
    EXPECT_NE(z[row * 12 + 3], 0.0F);
    for (std::size_t d = 0; d < 12; ++d) EXPECT_EQ(shares[(row * 3 + 1) * 12 + d], 0.0F);
  }
  // Setting a head to its own values changes nothing, and the caller may release them at once.
  const std::vector<float> own = get(plain, "blocks.0.attn.hook_z");
  Intervention same;
  same.name = "blocks.0.attn.hook_z";
  same.kind = InterventionKind::kValues;
  same.rank = 4;
  same.dims = {kBatch, kLength, 3, 4};
  TransformerRun unchanged;
  {
    std::vector<float> copy = own;
    same.values = copy.data();
    ASSERT_TRUE(unchanged.begin(model.transformer, kInput, {.interventions = {same}}).ok());
    std::fill(copy.begin(), copy.end(), 1e9F);
  }
  for (bool done = false; !done;) ASSERT_TRUE(unchanged.step(&done).ok());
  for (std::int64_t i = 0; i < unchanged.output().size(); ++i) {
    ASSERT_EQ(unchanged.output().data[i], plain.output().data[i]);
  }
}

TEST(Transformer, SaysWhatIsWrong) {
  const Model model;
  TransformerRun result;
  Status status = run(model.transformer, {.names = {"blocks.0.attn.hook_patern"}}, &result);
  EXPECT_EQ(status.argument(), "names");
  EXPECT_NE(status.expected().find("blocks.0.attn.hook_pattern"), std::string::npos);
  bool done = false;
  EXPECT_TRUE(result.step(&done).ok());  // a refused run does nothing
  EXPECT_TRUE(done);
  EXPECT_EQ(result.output().data, nullptr);

  Intervention intervention;
  intervention.name = "blocks.0.attn.hook_q";
  status = run(model.transformer, {.interventions = {intervention}}, &result);
  EXPECT_EQ(status.argument(), "interventions[0]");
  intervention.name = "blocks.1.attn.hook_z";
  status = run(model.transformer, {.interventions = {intervention}, .stop_at_layer = 1}, &result);
  EXPECT_EQ(status.argument(), "interventions[0]");
  EXPECT_NE(status.expected().find("stopAtLayer"), std::string::npos);
  intervention.name = "blocks.*.attn.hook_z";  // of block 0 too
  status = run(model.transformer, {.interventions = {intervention}, .stop_at_layer = 1}, &result);
  EXPECT_TRUE(status.ok());
  status = run(model.transformer, {.stop_at_layer = 3}, &result);
  EXPECT_EQ(status.argument(), "stopAtLayer");

  const auto begin = [&](std::vector<std::int32_t> ids, std::vector<std::int32_t> types) {
    return result.begin(model.transformer,
                        {.ids = ids.data(),
                         .length = static_cast<std::int64_t>(ids.size()),
                         .type_ids = types.data()},
                        {});
  };
  EXPECT_EQ(begin({}, {}).argument(), "ids");
  EXPECT_EQ(begin({17}, {0}).received(), "17");
  EXPECT_EQ(begin({-1}, {0}).argument(), "ids");
  EXPECT_EQ(begin({1}, {2}).argument(), "typeIds");
  status = begin(std::vector<std::int32_t>(10), std::vector<std::int32_t>(10));
  EXPECT_NE(status.expected().find('9'), std::string::npos);
  EXPECT_NE(status.received().find("10"), std::string::npos);

  Transformer transformer;
  TransformerConfig config = model.encoder.config;
  config.num_heads = 5;
  EXPECT_EQ(transformer.create(config, WeightType::kFloat32).argument(), "numHeads");
  config = model.encoder.config;
  config.num_layers = 0;
  EXPECT_EQ(transformer.create(config, WeightType::kFloat32).argument(), "numLayers");
  ASSERT_TRUE(transformer.create(model.encoder.config, WeightType::kInt8).ok());
  const std::vector<float> values(144);
  const std::vector<std::int8_t> bytes(144);
  EXPECT_EQ(
      transformer.set_parameter("blocks.0.attn.querry.weight", {12, 12}, values.data()).argument(),
      "name");
  status = transformer.set_parameter("blocks.0.attn.query.weight", {12, 11}, values.data());
  EXPECT_EQ(status.argument(), "blocks.0.attn.query.weight");
  EXPECT_EQ(status.expected(), "[12, 12]");
  EXPECT_EQ(status.received(), "[12, 11]");
  EXPECT_FALSE(
      transformer.set_parameter_int8("blocks.0.ln1.weight", {12}, bytes.data(), values.data())
          .ok());
  const auto with_outlier = [&](const char* name, const std::vector<std::int64_t>& dims,
                                Outlier outlier) {
    return transformer.set_parameter_int8(name, dims, bytes.data(), values.data(),
                                          std::vector<Outlier>{outlier});
  };
  EXPECT_TRUE(with_outlier("blocks.0.attn.query.weight", {12, 12}, {11, 11, 1.0F}).ok());
  for (const Outlier& outside : {Outlier{12, 0}, Outlier{0, 12}, Outlier{-1, 0}, Outlier{0, -1}}) {
    status = with_outlier("blocks.0.attn.query.weight", {12, 12}, outside);
    EXPECT_EQ(status.argument(), "blocks.0.attn.query.weight");
    EXPECT_EQ(status.expected(), "outliers inside [12, 12]");
  }
  EXPECT_EQ(with_outlier("embed.position", {9, 12}, {0, 0, 1.0F}).code(), StatusCode::kUnsupported);
  EXPECT_FALSE(
      transformer.set_embedding_rows("blocks.0.ln1.weight", nullptr, 1, values.data()).ok());
}

TEST(Transformer, RefusesAbsurdSizesBeforeItTakesMemory) {
  struct Size {
    const char* name;
    std::int64_t TransformerConfig::* member;
  };
  const std::size_t before = memory_use().blocks;
  for (const Size& size :
       {Size{"numLayers", &TransformerConfig::num_layers},
        Size{"dModel", &TransformerConfig::d_model}, Size{"dMlp", &TransformerConfig::d_mlp},
        Size{"vocabulary", &TransformerConfig::vocabulary},
        Size{"maxPositions", &TransformerConfig::max_positions},
        Size{"tokenTypes", &TransformerConfig::token_types}}) {
    TransformerConfig config = TransformerCase{1}.config;
    config.*size.member = 1'000'000'000;
    Transformer transformer;
    const Status status = transformer.create(config, WeightType::kFloat32);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << size.name;
    EXPECT_EQ(status.argument(), size.name);
    EXPECT_EQ(status.received(), "1000000000");
    EXPECT_EQ(memory_use().blocks, before) << size.name;
  }
}

TEST(Transformer, HoldsNoMemoryAfterwards) {
  const std::size_t before = memory_use().blocks;
  {
    const Model model;
    EXPECT_GT(output_of(model.transformer, {.names = {"*"}}).size(), 0U);
    set_memory_limit(memory_use().used + 2000);  // runs fail half-way
    TransformerRun result;
    const Status status = run(model.transformer, {.names = {"*"}}, &result);
    set_memory_limit(std::numeric_limits<std::size_t>::max());
    EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
    EXPECT_EQ(result.output().data, nullptr);
    EXPECT_TRUE(run(model.transformer, {}, &result).ok());  // and the next one works
  }
  EXPECT_EQ(memory_use().blocks, before);
}

TEST(Transformer, CountsItsParameters) {
  const Model model;
  std::int64_t total = 0;
  for (const auto& [name, values] : model.encoder.values) {
    total += static_cast<std::int64_t>(values.size());
  }
  EXPECT_EQ(model.transformer.parameter_count(), total);
}

TEST(Pooling, MeanOfRealPositions) {
  const std::vector<float> hidden = {1, 2, 3, 4, 100, 100, 0, 3, 0, 5, 7, 7};
  const std::vector<std::uint8_t> mask = {1, 1, 0, 1, 1, 0};
  const auto view = Tensor<const float, 3>::contiguous(hidden.data(), {2, 3, 2});
  std::vector<float> pooled(4);
  mean_pool(view, mask.data(), false, pooled.data());
  EXPECT_EQ(pooled, (std::vector<float>{2, 3, 0, 4}));
  mean_pool(view, mask.data(), true, pooled.data());
  EXPECT_NEAR(pooled[0], 2.0 / std::sqrt(13.0), 1e-7);
  EXPECT_EQ(pooled[3], 1.0F);
  const std::vector<std::uint8_t> none(6);
  mean_pool(view, none.data(), true, pooled.data());
  EXPECT_EQ(pooled, std::vector<float>(4, 0.0F));
}

}  // namespace
}  // namespace headwise
