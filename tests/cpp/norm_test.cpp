#include "headwise/norm.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "headwise/reference.hpp"
#include "support/random.hpp"

namespace headwise {
namespace {

using test::Random;

struct Expected {
  std::vector<double> y, scale, normalized;
};

Expected expected_norm(const std::vector<float>& x, const std::vector<float>& weight,
                       const std::vector<float>& bias, double epsilon, std::int64_t rows,
                       std::int64_t width) {
  const std::vector<double> x64(x.begin(), x.end());
  const std::vector<double> weight64(weight.begin(), weight.end());
  const std::vector<double> bias64(bias.begin(), bias.end());
  Expected e{std::vector<double>(x.size()), std::vector<double>(static_cast<std::size_t>(rows)),
             std::vector<double>(x.size())};
  reference::layer_norm(x64.data(), weight64.data(), bias64.data(), epsilon, rows, width,
                        e.y.data(), e.scale.data(), e.normalized.data());
  return e;
}

TEST(LayerNorm, MatchesTheReferenceAtEverySize) {
  Random random(1);
  constexpr float kEpsilon = 1e-5F;
  for (const std::int64_t width : {2, 3, 4, 5, 15, 16, 17, 31, 33, 64, 127, 384, 385}) {
    for (const float offset : {0.0F, 30.0F}) {
      const std::int64_t rows = 35;
      std::vector<float> x = random.normals(rows * width);
      for (float& value : x) value += offset;
      const std::vector<float> weight = random.normals(width);
      const std::vector<float> bias = random.normals(width);
      const Expected e = expected_norm(x, weight, bias, kEpsilon, rows, width);
      std::vector<float> y(x.size());
      std::vector<float> normalized(x.size());
      std::vector<float> scale(static_cast<std::size_t>(rows));
      const auto input = Tensor<const float, 2>::contiguous(x.data(), {rows, width});
      layer_norm(input, weight.data(), bias.data(), kEpsilon,
                 Tensor<float, 2>::contiguous(y.data(), {rows, width}),
                 {scale.data(), normalized.data()});
      std::vector<float> plain(x.size());
      layer_norm(input, weight.data(), bias.data(), kEpsilon,
                 Tensor<float, 2>::contiguous(plain.data(), {rows, width}));
      EXPECT_EQ(y, plain);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t row = i / static_cast<std::size_t>(width);
        // What rounding the inputs and the mean does, in units of the scale, plus a few roundings.
        const double step = std::numeric_limits<float>::epsilon();
        const double allowed = step * (4.0 * (1.0 + std::fabs(e.normalized[i])) +
                                       4.0 * std::fabs(x[i]) / e.scale[row]);
        ASSERT_NEAR(normalized[i], e.normalized[i], allowed * (1.0 + std::fabs(e.normalized[i])))
            << "width " << width << ", row " << row;
        const double weighted = allowed * (1.0 + std::fabs(e.normalized[i])) *
                                (1.0 + std::fabs(weight[i % static_cast<std::size_t>(width)]));
        ASSERT_NEAR(y[i], e.y[i], weighted + 4.0 * step * std::fabs(e.y[i]));
        ASSERT_NEAR(scale[row], e.scale[row], 4e-6 * e.scale[row] + step * std::fabs(offset));
      }
    }
  }
}

TEST(LayerNorm, StridedRowsInPlace) {
  Random random(2);
  const std::int64_t rows = 3;
  const std::int64_t width = 10;
  const std::int64_t stride = 13;
  std::vector<float> data = random.normals(1 + rows * stride);
  const std::vector<float> before = data;
  const std::vector<float> weight = random.normals(width);
  const std::vector<float> bias = random.normals(width);
  const Tensor<float, 2> x{data.data() + 1, {rows, width}, {stride, 1}};
  layer_norm(x, weight.data(), bias.data(), 1e-12F, x);
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* source = before.data() + 1 + row * stride;
    const Expected e = expected_norm({source, source + width}, weight, bias, 1e-12, 1, width);
    for (std::int64_t c = 0; c < width; ++c) {
      EXPECT_NEAR(*x.at(row, c), e.y[static_cast<std::size_t>(c)], 3e-6);
    }
    for (std::int64_t c = width; c < stride && row + 1 < rows; ++c) {
      EXPECT_EQ(data[static_cast<std::size_t>(1 + row * stride + c)],
                before[static_cast<std::size_t>(1 + row * stride + c)]);
    }
  }
}

TEST(LayerNorm, AConstantRowGivesTheBias) {
  const std::vector<float> x(7, 2.5F);
  const std::vector<float> weight(7, 3.0F);
  const std::vector<float> bias = {1, 2, 3, 4, 5, 6, 7};
  std::vector<float> y(7);
  layer_norm(Tensor<const float, 2>::contiguous(x.data(), {1, 7}), weight.data(), bias.data(),
             1e-12F, Tensor<float, 2>::contiguous(y.data(), {1, 7}));
  EXPECT_EQ(y, bias);
}

TEST(RmsNorm, MatchesDoublePrecision) {
  Random random(7);
  constexpr double kEpsilon = 1e-5;
  for (const std::int64_t width : {1, 3, 4, 7, 16, 33, 128, 385}) {
    const std::int64_t rows = 5;
    std::vector<float> x = random.normals(rows * width);
    for (float& value : x) value += 2.0F;  // a mean that is not taken away
    const std::vector<float> weight = random.normals(width);
    std::vector<float> scale(static_cast<std::size_t>(rows));
    std::vector<float> normalized(x.size());
    std::vector<float> y(x.size());
    rms_norm(Tensor<const float, 2>::contiguous(x.data(), {rows, width}), weight.data(), kEpsilon,
             Tensor<float, 2>::contiguous(y.data(), {rows, width}),
             {scale.data(), normalized.data()});
    for (std::int64_t row = 0; row < rows; ++row) {
      double squares = 0.0;
      for (std::int64_t i = 0; i < width; ++i) {
        squares += std::pow(static_cast<double>(x[static_cast<std::size_t>(row * width + i)]), 2);
      }
      const double expected = std::sqrt(squares / static_cast<double>(width) + kEpsilon);
      EXPECT_NEAR(scale[static_cast<std::size_t>(row)], expected, 1e-6 * expected);
      for (std::int64_t i = 0; i < width; ++i) {
        const auto place = static_cast<std::size_t>(row * width + i);
        const double value = x[place] / expected;
        EXPECT_NEAR(normalized[place], value, 1e-6 * (1.0 + std::fabs(value)));
        const double scaled = value * weight[static_cast<std::size_t>(i)];
        EXPECT_NEAR(y[place], scaled, 1e-6 * (1.0 + std::fabs(scaled)));
      }
    }
  }
}

}  // namespace
}  // namespace headwise
