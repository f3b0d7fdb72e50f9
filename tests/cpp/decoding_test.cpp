// Decoding with a cache against decoding without.
#include <gtest/gtest.h>

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
using test::llama;
using test::Random;
using test::random_input;
using test::ReferenceInput;
using test::run;
using test::t5;
using test::TransformerCase;

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
    EXPECT_TRUE(status.ok()) << status.argument() << ": " << status.expected() << ", "
                             << status.received();
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
  EXPECT_EQ(status.argument(), "cache");
  EXPECT_EQ(cache.length(), 3);
  ASSERT_TRUE(run(transformer, {.ids = ids.data() + 3, .length = 1}, options, &result).ok());
  EXPECT_EQ(cache.length(), 4);
  ASSERT_TRUE(cache.truncate(2).ok());
  const std::vector<std::uint8_t> mask = {1};
  status =
      result.begin(transformer, {.ids = ids.data(), .length = 1, .key_mask = mask.data()}, options);
  EXPECT_EQ(status.argument(), "keyMask");
  status = result.begin(transformer, {.ids = ids.data(), .batch = 2, .length = 1}, options);
  EXPECT_EQ(status.argument(), "cache");

  const TransformerCase encoder(8);
  Transformer bert;
  ASSERT_TRUE(bert.create(encoder.config, WeightType::kFloat32).ok());
  ASSERT_TRUE(encoder.set_all(&bert).ok());
  EXPECT_EQ(cache.create(bert, 1, 4).code(), StatusCode::kUnsupported);
  status = result.begin(bert, {.ids = ids.data(), .length = 2}, {.output = RunOutput::kLast});
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
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
  EXPECT_EQ(result.begin(transformer, later, options).argument(), "ids");
  TransformerInput first = later;
  first.ids = ids.data();
  first.length = 3;
  ASSERT_TRUE(run(transformer, first, options, &result).ok());
  const std::int64_t steps = result.steps();
  EXPECT_EQ(result.begin(transformer, first, options).argument(), "ids");
  ASSERT_TRUE(run(transformer, later, options, &result).ok());
  EXPECT_EQ(result.steps(), steps - 4);  // embedding, two blocks and norm of the encoder
}

}  // namespace
}  // namespace headwise
