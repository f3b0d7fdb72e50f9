#include "headwise/activations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "headwise/reference.hpp"

namespace headwise {
namespace {

std::vector<float> probes() {
  std::vector<float> x;
  for (int i = -140000; i <= 140000; ++i) x.push_back(static_cast<float>(i) * 1e-4F);
  for (int i = 0; i < 40; ++i) {
    x.push_back(std::ldexp(1.0F, -i));
    x.push_back(-std::ldexp(1.0F, -i));
    x.push_back(std::ldexp(1.0F, i));
    x.push_back(-std::ldexp(1.0F, i));
  }
  return x;
}

TEST(Activations, GeluIsWithin1e7OfTheErrorFunction) {
  const std::vector<float> x = probes();
  std::vector<float> y(x.size());
  apply_activation(ActivationFunction::kGelu, x.data(), y.data(),
                   static_cast<std::int64_t>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double magnitude = std::fmax(1.0, std::fabs(x[i]));
    ASSERT_LE(std::fabs(y[i] - reference::gelu(x[i])), 1.2e-7 * magnitude) << "x = " << x[i];
  }
}

TEST(Activations, SiluAndGeluByTanhAreWithin2e7) {
  const std::vector<float> x = probes();
  std::vector<float> y(x.size());
  const auto expect_near = [&](ActivationFunction function, const auto& exact) {
    apply_activation(function, x.data(), y.data(), static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double magnitude = std::fmax(1.0, std::fabs(x[i]));
      ASSERT_LE(std::fabs(y[i] - exact(static_cast<double>(x[i]))), 2e-7 * magnitude)
          << "x = " << x[i];
    }
  };
  expect_near(ActivationFunction::kSilu, [](double v) { return v / (1.0 + std::exp(-v)); });
  expect_near(ActivationFunction::kGeluTanh, [](double v) {
    const double inner = 0.7978845608028654 * (v + 0.044715 * v * v * v);
    return 0.5 * v * (1.0 + std::tanh(inner));
  });
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto function : {ActivationFunction::kSilu, ActivationFunction::kGeluTanh}) {
    float result = 0.0F;
    apply_activation(function, &nan, &result, 1);
    EXPECT_TRUE(std::isnan(result));
  }
}

TEST(Activations, SoftcapBoundsWithoutChangingSmallValues) {
  const std::vector<float> x = probes();
  std::vector<float> y(x.size());
  apply_softcap(30.0F, x.data(), y.data(), static_cast<std::int64_t>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(y[i], 30.0 * std::tanh(x[i] / 30.0), 6e-6) << "x = " << x[i];
  }
}

TEST(Activations, GeluAtTheEnds) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float x[] = {0.0F, -0.0F, infinity, -100.0F, std::numeric_limits<float>::quiet_NaN()};
  float y[5];
  apply_activation(ActivationFunction::kGelu, x, y, 5);
  EXPECT_EQ(y[0], 0.0F);
  EXPECT_EQ(y[1], 0.0F);
  EXPECT_EQ(y[2], infinity);
  EXPECT_EQ(y[3], 0.0F);
  EXPECT_TRUE(std::isnan(y[4]));
}

TEST(Activations, BitsDoNotDependOnThePlace) {
  std::vector<float> x(11);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.37F * static_cast<float>(i) - 2.0F;
  std::vector<float> together(x.size());
  apply_activation(ActivationFunction::kGelu, x.data(), together.data(), 11);
  for (std::size_t i = 0; i < x.size(); ++i) {
    float alone = 0.0F;
    apply_activation(ActivationFunction::kGelu, &x[i], &alone, 1);
    EXPECT_EQ(alone, together[i]);
  }
}

TEST(Activations, ReluAndIdentityInPlace) {
  std::vector<float> values = {-1.5F, 0.0F, 2.5F, -0.25F, 4.0F, -8.0F};
  std::vector<float> same = values;
  apply_activation(ActivationFunction::kIdentity, same.data(), same.data(), 6);
  EXPECT_EQ(same, values);
  apply_activation(ActivationFunction::kRelu, values.data(), values.data(), 6);
  EXPECT_EQ(values, (std::vector<float>{0.0F, 0.0F, 2.5F, 0.0F, 4.0F, 0.0F}));
}

}  // namespace
}  // namespace headwise
