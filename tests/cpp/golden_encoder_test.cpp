// The shipped encoder against the golden activations of an independent float64 implementation
// (tests/golden), in float32 and in int8; and what its heads are known for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "headwise/pooling.hpp"
#include "headwise/transformer_run.hpp"
#include "support/shipped_model.hpp"

namespace headwise {
namespace {

using test::SafetensorsFile;

std::vector<std::string> golden_files() {
  std::vector<std::string> paths;
  const std::string folder = std::string(HEADWISE_REPOSITORY) + "/tests/golden/minilm-l6";
  std::error_code error;
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    if (file->path().extension() == ".safetensors") paths.push_back(file->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class GoldenEncoder : public testing::Test {
 protected:
  static const Transformer& model(WeightType type) {
    static Transformer float32;
    static Transformer int8;
    Transformer& chosen = type == WeightType::kInt8 ? int8 : float32;
    if (chosen.ready_blocks() == 0) {
      const Status status = test::load_shipped_model(type, &chosen);
      EXPECT_TRUE(status.ok()) << status.argument() << ": " << status.received();
    }
    return chosen;
  }

  static void run(WeightType type, const std::vector<std::int32_t>& ids,
                  const std::vector<std::int32_t>& type_ids, const RunOptions& options,
                  TransformerRun* result) {
    const Status status = result->begin(model(type),
                                        {.ids = ids.data(),
                                         .length = static_cast<std::int64_t>(ids.size()),
                                         .type_ids = type_ids.empty() ? nullptr : type_ids.data()},
                                        options);
    ASSERT_TRUE(status.ok()) << status.argument() << ": " << status.expected() << ", "
                             << status.received();
    for (bool done = false; !done;) ASSERT_TRUE(result->step(&done).ok());
  }
};

// Largest difference to the golden values, over the tensor and relative to its largest magnitude.
struct Difference {
  double absolute = 0.0, relative = 0.0;
};

Difference difference(const float* got, const std::vector<float>& golden) {
  Difference result;
  double largest = 0.0;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    result.absolute =
        std::fmax(result.absolute, std::fabs(static_cast<double>(got[i]) - golden[i]));
    largest = std::fmax(largest, std::fabs(golden[i]));
  }
  result.relative = result.absolute / largest;
  return result;
}

bool is_pattern(const std::string& name) { return name.find("hook_pattern") != std::string::npos; }

TEST_F(GoldenEncoder, Float32IsWithinRoundingOfEveryGoldenActivation) {
  const std::vector<std::string> files = golden_files();
  ASSERT_GE(files.size(), 3U);
  for (const std::string& path : files) {
    SCOPED_TRACE(path);
    SafetensorsFile golden;
    ASSERT_TRUE(golden.open(path));
    TransformerRun got;
    run(WeightType::kFloat32, golden.values<std::int32_t>("ids"),
        golden.values<std::int32_t>("type_ids"), {.names = {"*"}}, &got);
    int patterns = 0;
    for (const std::string& name : golden.names()) {
      if (name.find("hook_") == std::string::npos) continue;
      const Activation* activation = got.cache().find(name);
      ASSERT_NE(activation, nullptr) << name;
      ASSERT_EQ(activation->dims, golden.entry(name).dims) << name;
      const Difference d = difference(activation->data.data(), golden.values<float>(name));
      if (is_pattern(name)) {
        ++patterns;
        EXPECT_LE(d.absolute, 2e-5) << name;
      } else {
        EXPECT_LE(d.relative, 5e-6) << name;
      }
    }
    EXPECT_EQ(patterns, 6);
    const Difference last =
        difference(got.output().data, golden.values<float>("last_hidden_state"));
    EXPECT_LE(last.absolute, 1e-4);
    std::vector<float> pooled(384);
    mean_pool(got.output(), nullptr, true, pooled.data());
    EXPECT_LE(difference(pooled.data(), golden.values<float>("mean_pooled")).absolute, 1e-5);
  }
}

TEST_F(GoldenEncoder, Int8ActivationsKeepTheirDigits) {
  for (const std::string& path : golden_files()) {
    SCOPED_TRACE(path);
    SafetensorsFile golden;
    ASSERT_TRUE(golden.open(path));
    TransformerRun got;
    run(WeightType::kInt8, golden.values<std::int32_t>("ids"),
        golden.values<std::int32_t>("type_ids"), {.names = {"*.hook_pattern"}}, &got);
    for (const Activation& activation : got.cache().activations()) {
      const Difference d =
          difference(activation.data.data(), golden.values<float>(activation.name));
      EXPECT_LE(d.absolute, 3e-3) << activation.name;
    }
    std::vector<float> pooled(384);
    mean_pool(got.output(), nullptr, true, pooled.data());
    const std::vector<float> expected = golden.values<float>("mean_pooled");
    double cosine = 0.0;
    for (std::size_t i = 0; i < pooled.size(); ++i) {
      cosine += static_cast<double>(pooled[i]) * expected[i];
    }
    EXPECT_GE(cosine, 0.99999);
  }
}

// "The cat sat on the mat because it was tired", as the model's tokenizer splits it.
const std::vector<std::int32_t> kCatIds = {101,   1996, 4937, 2938, 2006, 1996,
                                           13523, 2138, 2009, 2001, 5458, 102};
constexpr std::int64_t kCat = 2;
constexpr std::int64_t kIt = 8;

TEST_F(GoldenEncoder, HeadsDoWhatTheyAreKnownFor) {
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    TransformerRun got;
    run(type, kCatIds, {}, {.names = {"*.hook_pattern"}}, &got);
    const std::int64_t length = static_cast<std::int64_t>(kCatIds.size());
    const auto weight = [&](std::int64_t layer, std::int64_t head, std::int64_t query,
                            std::int64_t key) {
      const Activation* pattern =
          got.cache().find("blocks." + std::to_string(layer) + ".attn.hook_pattern");
      return pattern->data[(head * length + query) * length + key];
    };
    EXPECT_NEAR(weight(5, 11, kIt, kCat), 0.68, 0.02);
    EXPECT_NEAR(weight(3, 1, kIt, kCat), 0.49, 0.03);
    for (std::int64_t i = 1; i < length; ++i) EXPECT_GE(weight(0, 2, i, i - 1), 0.99F);
    for (const Activation& pattern : got.cache().activations()) {
      for (std::int64_t row = 0; row < 12 * length; ++row) {
        double sum = 0.0;
        for (std::int64_t j = 0; j < length; ++j) sum += pattern.data[row * length + j];
        EXPECT_NEAR(sum, 1.0, 1e-5) << pattern.name;
      }
    }
  }
}

TEST_F(GoldenEncoder, TheFirstFileIsEnoughForItsSentences) {
  SafetensorsFile first;
  ASSERT_TRUE(first.open(test::model_folder() + "examples.safetensors"));
  SafetensorsFile whole;
  ASSERT_TRUE(whole.open(test::model_folder() + "model.safetensors"));
  Transformer early;
  ASSERT_TRUE(early.create(test::shipped_config(), WeightType::kInt8).ok());
  const std::string words = "embeddings.word_embeddings.";
  for (const std::string& name : first.names()) {
    if (name.rfind(words, 0) == 0 || test::is_companion(name)) continue;
    ASSERT_TRUE(test::load_tensor(first, name, &early).ok()) << name;
  }
  const std::vector<std::int32_t> rows = first.values<std::int32_t>(words + "row_ids");
  ASSERT_TRUE(early
                  .set_embedding_rows_int8("embed.token", rows.data(),
                                           static_cast<std::int64_t>(rows.size()),
                                           first.values<std::int8_t>(words + "weight").data(),
                                           first.values<float>(words + "weight_scale").data())
                  .ok());
  // The whole file in its order: the first pattern is there with the first key's bias.
  for (const std::string& name : whole.names()) {
    if (early.ready_patterns() == 1) break;
    if (!test::is_companion(name)) {
      ASSERT_TRUE(test::load_tensor(whole, name, &early).ok());
    }
  }
  EXPECT_EQ(early.ready_blocks(), 0);
  RunOptions options{.names = {"blocks.0.attn.hook_pattern"}};
  options.output = RunOutput::kNone;
  TransformerRun got;
  ASSERT_TRUE(
      got.begin(early, {.ids = kCatIds.data(), .length = static_cast<std::int64_t>(kCatIds.size())},
                options)
          .ok());
  for (bool done = false; !done;) ASSERT_TRUE(got.step(&done).ok());
  TransformerRun expected;
  run(WeightType::kInt8, kCatIds, {}, options, &expected);
  const Activation& a = *got.cache().find("blocks.0.attn.hook_pattern");
  const Activation& b = *expected.cache().find("blocks.0.attn.hook_pattern");
  for (std::int64_t i = 0; i < a.data.size(); ++i) ASSERT_EQ(a.data[i], b.data[i]);
}

}  // namespace
}  // namespace headwise
