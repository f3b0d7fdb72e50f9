// Linear layers of both weight types against plain loops, over sizes around the edges of tiles,
// panels and blocks.
#include "headwise/linear.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/linear_case.hpp"
#include "support/random.hpp"

namespace headwise {
namespace {

using test::expect_near_exact;
using test::kSizes;
using test::Random;
using test::Sizes;
using test::view;

TEST(Linear, Float32MatchesTheReference) {
  Random random(1);
  for (const Sizes& s : kSizes) {
    const std::vector<float> x = random.normals(s.rows * s.in);
    const std::vector<float> weight = random.normals(s.out * s.in);
    const std::vector<float> bias = random.normals(s.out);
    Linear layer;
    ASSERT_TRUE(layer.create(s.in, s.out, WeightType::kFloat32, true).ok());
    layer.set_rows(0, s.out, weight.data());
    layer.set_bias(0, s.out, bias.data());
    std::vector<float> y(static_cast<std::size_t>(s.rows * s.out));
    ASSERT_TRUE(layer.forward(view(x.data(), s.rows, s.in), view(y.data(), s.rows, s.out)).ok());
    const double steps = 2.0 + std::sqrt(static_cast<double>(s.in));
    expect_near_exact(y, x, weight, bias, s, steps * std::numeric_limits<float>::epsilon());
  }
}

TEST(Linear, RowsStridedAndMisaligned) {
  Random random(2);
  const Sizes s{9, 13, 11};
  const std::int64_t x_stride = s.in + 3;
  const std::int64_t y_stride = s.out + 5;
  const std::vector<float> weight = random.normals(s.out * s.in);
  for (std::int64_t shift = 0; shift < 4; ++shift) {
    const std::vector<float> x = random.normals(shift + s.rows * x_stride);
    std::vector<float> y(static_cast<std::size_t>(shift + s.rows * y_stride), -77.0F);
    Linear layer;
    ASSERT_TRUE(layer.create(s.in, s.out, WeightType::kFloat32, false).ok());
    layer.set_rows(0, s.out, weight.data());
    ASSERT_TRUE(layer
                    .forward({x.data() + shift, {s.rows, s.in}, {x_stride, 1}},
                             {y.data() + shift, {s.rows, s.out}, {y_stride, 1}})
                    .ok());
    for (std::int64_t row = 0; row < s.rows; ++row) {
      const float* values = x.data() + shift + row * x_stride;
      const float* got = y.data() + shift + row * y_stride;
      expect_near_exact({got, got + s.out}, {values, values + s.in}, weight,
                        std::vector<float>(static_cast<std::size_t>(s.out)), {1, s.in, s.out},
                        1e-6);
      for (std::int64_t c = s.out; c < y_stride && row + 1 < s.rows; ++c) {
        EXPECT_EQ(got[c], -77.0F) << "written beyond row " << row;
      }
    }
  }
}

TEST(Linear, ARowHasTheSameBitsAmongAnyNeighbours) {
  Random random(3);
  const Sizes s{29, 70, 19};
  const std::vector<float> x = random.normals(s.rows * s.in);
  const std::vector<float> weight = random.normals(s.out * s.in);
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    Linear layer;
    ASSERT_TRUE(layer.create(s.in, s.out, type, false).ok());
    layer.set_rows(0, s.out, weight.data());
    std::vector<float> together(static_cast<std::size_t>(s.rows * s.out));
    ASSERT_TRUE(
        layer.forward(view(x.data(), s.rows, s.in), view(together.data(), s.rows, s.out)).ok());
    for (std::int64_t row = 0; row < s.rows; ++row) {
      std::vector<float> alone(static_cast<std::size_t>(s.out));
      ASSERT_TRUE(
          layer.forward(view(x.data() + row * s.in, 1, s.in), view(alone.data(), 1, s.out)).ok());
      EXPECT_EQ(
          0, std::memcmp(alone.data(), together.data() + row * s.out, alone.size() * sizeof(float)))
          << "row " << row;
    }
  }
}

TEST(Linear, PartsOfInputsSumToTheWholeAndPartsOfOutputsAreItsColumns) {
  Random random(7);
  const Sizes s{7, 30, 24};
  const std::vector<float> x = random.normals(s.rows * s.in);
  const std::vector<float> weight = random.normals(s.out * s.in);
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    Linear layer;
    ASSERT_TRUE(layer.create(s.in, s.out, type, false).ok());
    layer.set_rows(0, s.out, weight.data());
    const auto run = [&](const LinearOptions& options, std::int64_t columns) {
      std::vector<float> y(static_cast<std::size_t>(s.rows * columns));
      EXPECT_TRUE(
          layer.forward(view(x.data(), s.rows, s.in), view(y.data(), s.rows, columns), options)
              .ok());
      return y;
    };
    const std::vector<float> whole = run({}, s.out);
    std::vector<double> sum(whole.size());
    for (const std::int64_t first : {0, 5, 10, 15, 20, 25}) {  // odd starts split a pair
      const std::vector<float> part = run({.first_input = first, .inputs = 5}, s.out);
      for (std::size_t i = 0; i < part.size(); ++i) sum[i] += part[i];
    }
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(sum[i], whole[i], 1e-5);
    const std::vector<float> columns = run({.first_output = 8, .outputs = 11}, 11);
    for (std::int64_t row = 0; row < s.rows; ++row) {
      for (std::int64_t c = 0; c < 11; ++c) {
        EXPECT_EQ(columns[static_cast<std::size_t>(row * 11 + c)],
                  whole[static_cast<std::size_t>(row * s.out + 8 + c)]);
      }
    }
  }
}

TEST(Linear, RowsSetInPartsFillOneMatrix) {
  Random random(8);
  const Sizes s{3, 12, 30};
  const std::vector<float> x = random.normals(s.rows * s.in);
  const std::vector<float> weight = random.normals(s.out * s.in);
  Linear whole;
  Linear parts;
  ASSERT_TRUE(whole.create(s.in, s.out, WeightType::kFloat32, false).ok());
  ASSERT_TRUE(parts.create(s.in, s.out, WeightType::kFloat32, false).ok());
  whole.set_rows(0, s.out, weight.data());
  for (const std::int64_t first : {20, 0, 10}) {
    parts.set_rows(first, 10, weight.data() + first * s.in);
  }
  std::vector<float> a(static_cast<std::size_t>(s.rows * s.out));
  std::vector<float> b(a.size());
  ASSERT_TRUE(whole.forward(view(x.data(), s.rows, s.in), view(a.data(), s.rows, s.out)).ok());
  ASSERT_TRUE(parts.forward(view(x.data(), s.rows, s.in), view(b.data(), s.rows, s.out)).ok());
  EXPECT_EQ(a, b);
}

TEST(Linear, AccumulatesAndActivates) {
  Random random(9);
  const Sizes s{5, 14, 13};
  const std::vector<float> x = random.normals(s.rows * s.in);
  const std::vector<float> weight = random.normals(s.out * s.in);
  const std::vector<float> bias = random.normals(s.out);
  const std::vector<float> before = random.normals(s.rows * s.out);
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    Linear layer;
    ASSERT_TRUE(layer.create(s.in, s.out, type, true).ok());
    layer.set_rows(0, s.out, weight.data());
    layer.set_bias(0, s.out, bias.data());
    const auto run = [&](const LinearOptions& options, std::vector<float> y) {
      EXPECT_TRUE(
          layer.forward(view(x.data(), s.rows, s.in), view(y.data(), s.rows, s.out), options).ok());
      return y;
    };
    const std::vector<float> plain = run({}, std::vector<float>(before.size()));
    const std::vector<float> added = run({.accumulate = true}, before);
    std::vector<float> activated(plain.size());
    apply_activation(ActivationFunction::kGelu, plain.data(), activated.data(),
                     static_cast<std::int64_t>(plain.size()));
    EXPECT_EQ(activated, run({.activation = ActivationFunction::kGelu}, before));
    const std::vector<float> unbiased = run({.bias = false}, before);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_EQ(added[i], before[i] + plain[i]);
      EXPECT_NEAR(unbiased[i] + bias[i % static_cast<std::size_t>(s.out)], plain[i], 1e-5);
    }
  }
}

TEST(Linear, NaNStaysInItsRow) {
  const Sizes s{3, 9, 10};
  Random random(10);
  std::vector<float> x = random.normals(s.rows * s.in);
  x[static_cast<std::size_t>(s.in + 4)] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> weight = random.normals(s.out * s.in);
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    Linear layer;
    ASSERT_TRUE(layer.create(s.in, s.out, type, false).ok());
    layer.set_rows(0, s.out, weight.data());
    std::vector<float> y(static_cast<std::size_t>(s.rows * s.out));
    ASSERT_TRUE(layer.forward(view(x.data(), s.rows, s.in), view(y.data(), s.rows, s.out)).ok());
    for (std::size_t i = 0; i < y.size(); ++i) {
      EXPECT_EQ(std::isnan(y[i]), i / static_cast<std::size_t>(s.out) == 1) << i;
    }
  }
}

TEST(Linear, RefusesWhatMemoryDoesNotHold) {
  set_memory_limit(memory_use().used + 1000);
  Linear layer;
  const Status status = layer.create(100, 100, WeightType::kFloat32, true);
  set_memory_limit(std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
  EXPECT_TRUE(layer.create(100, 100, WeightType::kFloat32, true).ok());
}

}  // namespace
}  // namespace headwise
