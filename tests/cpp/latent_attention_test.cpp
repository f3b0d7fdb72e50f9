// Latent attention in both forms against keys and values that are multiplied out in double
// precision, and the layer against its parts.
#include "headwise/latent_attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "headwise/reference.hpp"
#include "support/expect_rows.hpp"
#include "support/random.hpp"

namespace headwise {
namespace {

using test::Random;

constexpr double kTolerance = 4e-6;

struct LatentCase {
  LatentAttentionSizes sizes;
  std::int64_t batch, queries, keys;
  std::vector<float> query_nope, query_rope, latent, key_rope, uk, uv;

  LatentCase(const LatentAttentionSizes& s, std::int64_t b, std::int64_t q, std::int64_t k,
             Random& random)
      : sizes(s), batch(b), queries(q), keys(k) {
    query_nope = random.normals(b * s.heads * q * s.nope_dim);
    query_rope = random.normals(b * s.heads * q * s.rope_dim);
    latent = random.normals(b * k * s.latent_dim);
    key_rope = random.normals(b * k * s.rope_dim);
    const float scale = 1.0F / std::sqrt(static_cast<float>(s.latent_dim));
    uk = random.normals(s.heads * s.latent_dim * s.nope_dim, scale);
    uv = random.normals(s.heads * s.latent_dim * s.value_head_dim, scale);
  }

  LatentAttentionInputs inputs() const {
    const LatentAttentionSizes& s = sizes;
    LatentAttentionInputs in;
    in.query_nope = {query_nope.data(), 4, {batch, s.heads, queries, s.nope_dim}};
    in.query_rope = {query_rope.data(), 4, {batch, s.heads, queries, s.rope_dim}};
    in.latent = {latent.data(), 3, {batch, keys, s.latent_dim}};
    in.key_rope = {key_rope.data(), 3, {batch, keys, s.rope_dim}};
    in.uk = {uk.data(), 3, {s.heads, s.latent_dim, s.nope_dim}};
    in.uv = {uv.data(), 3, {s.heads, s.latent_dim, s.value_head_dim}};
    return in;
  }
};

// [a | b] for each of `rows` rows.
std::vector<float> beside(const std::vector<float>& a, std::int64_t a_width,
                          const std::vector<float>& b, std::int64_t b_width, std::int64_t rows) {
  std::vector<float> joined;
  for (std::int64_t row = 0; row < rows; ++row) {
    joined.insert(joined.end(), a.begin() + row * a_width, a.begin() + (row + 1) * a_width);
    joined.insert(joined.end(), b.begin() + row * b_width, b.begin() + (row + 1) * b_width);
  }
  return joined;
}

// Keys and values of each head, multiplied out and rounded once, through the reference op.
struct Expected {
  std::vector<double> output, weights;
};

std::vector<float> raise(const LatentCase& c, const std::vector<float>& up, std::int64_t width) {
  std::vector<float> result;
  for (std::int64_t b = 0; b < c.batch; ++b) {
    for (std::int64_t h = 0; h < c.sizes.heads; ++h) {
      for (std::int64_t j = 0; j < c.keys; ++j) {
        for (std::int64_t n = 0; n < width; ++n) {
          double sum = 0.0;
          for (std::int64_t l = 0; l < c.sizes.latent_dim; ++l) {
            sum +=
                static_cast<double>(
                    c.latent[static_cast<std::size_t>((b * c.keys + j) * c.sizes.latent_dim + l)]) *
                up[static_cast<std::size_t>((h * c.sizes.latent_dim + l) * width + n)];
          }
          result.push_back(static_cast<float>(sum));
        }
      }
    }
  }
  return result;
}

Expected multiplied_out(const LatentCase& c, const AttentionCall& options) {
  const LatentAttentionSizes& s = c.sizes;
  const std::int64_t width = s.nope_dim + s.rope_dim;
  const std::int64_t query_rows = c.batch * s.heads * c.queries;
  const std::int64_t key_rows = c.batch * s.heads * c.keys;
  std::vector<float> shared_rope;  // the same rotary key for each head
  for (std::int64_t b = 0; b < c.batch; ++b) {
    for (std::int64_t h = 0; h < s.heads; ++h) {
      const auto start = c.key_rope.begin() + b * c.keys * s.rope_dim;
      shared_rope.insert(shared_rope.end(), start, start + c.keys * s.rope_dim);
    }
  }
  const std::vector<float> query =
      beside(c.query_nope, s.nope_dim, c.query_rope, s.rope_dim, query_rows);
  const std::vector<float> key =
      beside(raise(c, c.uk, s.nope_dim), s.nope_dim, shared_rope, s.rope_dim, key_rows);
  const std::vector<float> value = raise(c, c.uv, s.value_head_dim);
  AttentionCall call = options;
  call.query = {query.data(), 4, {c.batch, s.heads, c.queries, width}};
  call.key = {key.data(), 4, {c.batch, s.heads, c.keys, width}};
  call.value = {value.data(), 4, {c.batch, s.heads, c.keys, s.value_head_dim}};
  AttentionShape shape;
  EXPECT_TRUE(validate(call, &shape).ok());
  Expected expected{std::vector<double>(static_cast<std::size_t>(shape.output_size())),
                    std::vector<double>(static_cast<std::size_t>(shape.scores_size()))};
  EXPECT_TRUE(reference::attention(resolve(call, shape, nullptr, nullptr), expected.output.data(),
                                   nullptr, expected.weights.data())
                  .ok());
  return expected;
}

void expect_both_forms(const LatentCase& c, const AttentionCall& options) {
  const Expected expected = multiplied_out(c, options);
  const std::int64_t rows = c.batch * c.sizes.heads * c.queries;
  for (const LatentForm form : {LatentForm::kExpanded, LatentForm::kAbsorbed}) {
    std::vector<float> output(expected.output.size(), -77.0F);
    std::vector<float> weights(expected.weights.size(), -77.0F);
    const Status status = latent_attention(c.inputs(), form, options,
                                           {.output = output.data(), .weights = weights.data()});
    ASSERT_TRUE(status.ok()) << status.argument() << ": " << status.expected();
    test::expect_rows_near(weights.data(), expected.weights.data(), rows, c.keys, kTolerance);
    test::expect_rows_near(output.data(), expected.output.data(), rows, c.sizes.value_head_dim,
                           kTolerance, 0.5);
  }
}

TEST(LatentAttention, BothFormsEqualTheMultipliedOutHeads) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    const LatentAttentionSizes sizes{.heads = random.integer(1, 4),
                                     .nope_dim = random.integer(1, 9),
                                     .rope_dim = 2 * random.integer(0, 3),
                                     .latent_dim = random.integer(1, 17),
                                     .value_head_dim = random.integer(1, 9)};
    const std::int64_t length = random.integer(1, 20);
    const LatentCase c(sizes, random.integer(1, 2), length,
                       random.chance(0.5) ? length : random.integer(1, 20), random);
    AttentionCall options;
    options.causal = random.chance(0.5);
    if (random.chance(0.3)) options.softcap = 2.0;
    if (random.chance(0.3)) options.scale = 0.7;
    if (random.chance(0.3)) options.window_left = 2;
    expect_both_forms(c, options);
  }
}

TEST(LatentAttention, HiddenPositionsDoNotReachTheResult) {
  Random random(2);
  LatentCase c({.heads = 2, .nope_dim = 4, .rope_dim = 2, .latent_dim = 6, .value_head_dim = 3}, 1,
               3, 5, random);
  const std::vector<std::uint8_t> key_mask = {1, 1, 0, 1, 0};
  AttentionCall options;
  options.key_mask = key_mask.data();
  options.key_mask_rank = 2;
  options.key_mask_dims = {1, 5};
  const auto run = [&](LatentForm form) {
    std::vector<float> output(2 * 3 * 3);
    EXPECT_TRUE(latent_attention(c.inputs(), form, options, {.output = output.data()}).ok());
    return output;
  };
  const std::vector<float> expanded = run(LatentForm::kExpanded);
  const std::vector<float> absorbed = run(LatentForm::kAbsorbed);
  for (std::size_t d = 0; d < 6; ++d) c.latent[2 * 6 + d] = std::nanf("");
  c.key_rope[4 * 2] = INFINITY;
  EXPECT_EQ(run(LatentForm::kExpanded), expanded);
  EXPECT_EQ(run(LatentForm::kAbsorbed), absorbed);
}

TEST(LatentAttention, SaysWhatDoesNotFit) {
  Random random(3);
  const LatentCase c(
      {.heads = 2, .nope_dim = 4, .rope_dim = 2, .latent_dim = 6, .value_head_dim = 3}, 1, 3, 5,
      random);
  AttentionShape shape;
  LatentAttentionInputs inputs = c.inputs();
  inputs.query_rope.dims[2] = 4;
  EXPECT_EQ(validate(inputs, {}, &shape).argument(), "queryRope");
  inputs = c.inputs();
  inputs.uk.dims[1] = 5;
  const Status status = validate(inputs, {}, &shape);
  EXPECT_EQ(status.argument(), "weights.uk");
  EXPECT_EQ(status.expected(), "[2, 6, 4]");
  EXPECT_EQ(status.received(), "[2, 5, 4]");
  inputs = c.inputs();
  inputs.latent = {};
  EXPECT_EQ(validate(inputs, {}, &shape).received(), "nothing");
  AttentionCall options;
  options.softcap = -1.0;
  EXPECT_EQ(validate(c.inputs(), options, &shape).argument(), "softcap");
}

// The layer, from its weights and the reference's parts.
TEST(LatentAttention, TheLayerIsItsParts) {
  Random random(4);
  constexpr std::int64_t kBatch = 2;
  constexpr std::int64_t kLength = 6;
  constexpr std::int64_t kModel = 10;
  const LatentAttentionSizes s{
      .heads = 3, .nope_dim = 4, .rope_dim = 4, .latent_dim = 5, .value_head_dim = 2};
  const std::int64_t query_width = s.heads * (s.nope_dim + s.rope_dim);
  for (const std::int64_t query_latent : {0, 7}) {
    const std::int64_t query_input = query_latent == 0 ? kModel : query_latent;
    const std::vector<float> x = random.normals(kBatch * kLength * kModel);
    const std::vector<float> down = random.normals(query_latent * kModel, 0.3F);
    const std::vector<float> query = random.normals(query_width * query_input, 0.3F);
    const std::vector<float> latent = random.normals((s.latent_dim + s.rope_dim) * kModel, 0.3F);
    const std::vector<float> uk = random.normals(s.heads * s.latent_dim * s.nope_dim, 0.4F);
    const std::vector<float> uv = random.normals(s.heads * s.latent_dim * s.value_head_dim, 0.4F);
    const std::vector<float> output = random.normals(kModel * s.heads * s.value_head_dim, 0.4F);
    const std::vector<std::int32_t> positions = {3, 4, 5, 6, 8, 20};
    LatentAttentionWeights w;
    w.query = {query.data(), 2, {query_width, query_input}};
    if (query_latent > 0) w.query_down = {down.data(), 2, {query_latent, kModel}};
    w.latent = {latent.data(), 2, {s.latent_dim + s.rope_dim, kModel}};
    w.uk = {uk.data(), 3, {s.heads, s.latent_dim, s.nope_dim}};
    w.uv = {uv.data(), 3, {s.heads, s.latent_dim, s.value_head_dim}};
    w.output = {output.data(), 2, {kModel, s.heads * s.value_head_dim}};
    LatentAttentionConfig config{.d_model = kModel,
                                 .num_heads = s.heads,
                                 .nope_dim = s.nope_dim,
                                 .rope_dim = s.rope_dim,
                                 .value_head_dim = s.value_head_dim,
                                 .latent_dim = s.latent_dim,
                                 .query_latent_dim = {},
                                 .rotary = {.interleaved = true}};
    if (query_latent > 0) config.query_latent_dim = query_latent;
    LatentAttention layer;
    const Status status = layer.create(config, w);
    ASSERT_TRUE(status.ok()) << status.argument() << ": " << status.expected();

    // Project, split and turn in double precision; then the op's own expectation.
    const auto wide = [](const std::vector<float>& v) {
      return std::vector<double>(v.begin(), v.end());
    };
    const std::int64_t rows = kBatch * kLength;
    std::vector<double> queried = wide(x);
    if (query_latent > 0) {
      queried.resize(static_cast<std::size_t>(rows * query_latent));
      reference::linear(wide(x).data(), wide(down).data(), nullptr, rows, kModel, query_latent,
                        queried.data());
    }
    std::vector<double> q(static_cast<std::size_t>(rows * query_width));
    reference::linear(queried.data(), wide(query).data(), nullptr, rows, query_input, query_width,
                      q.data());
    const std::int64_t latent_width = s.latent_dim + s.rope_dim;
    std::vector<double> kv(static_cast<std::size_t>(rows * latent_width));
    reference::linear(wide(x).data(), wide(latent).data(), nullptr, rows, kModel, latent_width,
                      kv.data());
    LatentCase c(s, kBatch, kLength, kLength, random);
    c.uk = uk;
    c.uv = uv;
    for (std::int64_t b = 0; b < kBatch; ++b) {
      for (std::int64_t i = 0; i < kLength; ++i) {
        const std::int64_t row = b * kLength + i;
        const std::int32_t* position = &positions[static_cast<std::size_t>(i)];
        for (std::int64_t h = 0; h < s.heads; ++h) {
          double* head = q.data() + row * query_width + h * (s.nope_dim + s.rope_dim);
          reference::rotary(config.rotary, s.rope_dim, position, 1, head + s.nope_dim);
          const std::int64_t place = (b * s.heads + h) * kLength + i;
          for (std::int64_t d = 0; d < s.nope_dim; ++d) {
            c.query_nope[static_cast<std::size_t>(place * s.nope_dim + d)] =
                static_cast<float>(head[d]);
          }
          for (std::int64_t d = 0; d < s.rope_dim; ++d) {
            c.query_rope[static_cast<std::size_t>(place * s.rope_dim + d)] =
                static_cast<float>(head[s.nope_dim + d]);
          }
        }
        double* shared = kv.data() + row * latent_width;
        reference::rotary(config.rotary, s.rope_dim, position, 1, shared + s.latent_dim);
        for (std::int64_t d = 0; d < s.latent_dim; ++d) {
          c.latent[static_cast<std::size_t>(row * s.latent_dim + d)] =
              static_cast<float>(shared[d]);
        }
        for (std::int64_t d = 0; d < s.rope_dim; ++d) {
          c.key_rope[static_cast<std::size_t>(row * s.rope_dim + d)] =
              static_cast<float>(shared[s.latent_dim + d]);
        }
      }
    }
    AttentionCall options;
    options.causal = true;
    const Expected expected = multiplied_out(c, options);
    std::vector<double> z(static_cast<std::size_t>(rows * s.heads * s.value_head_dim));
    for (std::int64_t b = 0; b < kBatch; ++b) {
      for (std::int64_t h = 0; h < s.heads; ++h) {
        for (std::int64_t i = 0; i < kLength; ++i) {
          for (std::int64_t d = 0; d < s.value_head_dim; ++d) {
            z[static_cast<std::size_t>(((b * kLength + i) * s.heads + h) * s.value_head_dim + d)] =
                expected.output[static_cast<std::size_t>(
                    ((b * s.heads + h) * kLength + i) * s.value_head_dim + d)];
          }
        }
      }
    }
    std::vector<double> y(static_cast<std::size_t>(rows * kModel));
    reference::linear(z.data(), wide(output).data(), nullptr, rows, s.heads * s.value_head_dim,
                      kModel, y.data());
    for (const LatentForm form : {LatentForm::kExpanded, LatentForm::kAbsorbed}) {
      LatentAttentionCall call;
      call.x = {x.data(), 3, {kBatch, kLength, kModel}};
      call.form = form;
      call.options = options;
      call.positions = positions.data();
      call.positions_rank = 1;
      call.positions_dims = {kLength};
      std::vector<float> got(y.size());
      ASSERT_TRUE(layer.forward(call, {.output = got.data()}).ok());
      test::expect_rows_near(got.data(), y.data(), rows, kModel, kTolerance, 1.0);
    }
  }
}

}  // namespace
}  // namespace headwise
