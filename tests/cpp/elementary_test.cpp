// The kernels' own elementary functions against the standard library in double precision.
#include "kernels/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace headwise {
namespace {

float exp2_of(float x) { return kernels::exp2_nonpositive(simd::splat(x)).get(0); }
float tanh_of(float x) { return kernels::tanh(simd::splat(x)).get(0); }

TEST(Exp2, WithinThreeTenMillionthsDownToTheFlush) {
  for (double x = -126.0; x <= 0.0; x += 0.00037) {
    const auto exponent = static_cast<float>(x);
    const double exact = std::exp2(static_cast<double>(exponent));
    ASSERT_NEAR(exp2_of(exponent) / exact, 1.0, 3e-7) << x;
  }
  EXPECT_EQ(exp2_of(0.0F), 1.0F);
}

TEST(Exp2, FlushesToExactlyZeroAndKeepsNaN) {
  EXPECT_EQ(exp2_of(-126.5F), 0.0F);
  EXPECT_EQ(exp2_of(-1e30F), 0.0F);
  EXPECT_EQ(exp2_of(-std::numeric_limits<float>::infinity()), 0.0F);
  EXPECT_TRUE(std::isnan(exp2_of(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(exp2_of(-std::numeric_limits<float>::quiet_NaN())));
}

TEST(Tanh, WithinThreeTenMillionths) {
  for (double x = -12.0; x <= 12.0; x += 0.00031) {
    const auto argument = static_cast<float>(x);
    const double exact = std::tanh(static_cast<double>(argument));
    ASSERT_NEAR(tanh_of(argument), exact, 3e-7 * std::fabs(exact)) << x;
  }
  EXPECT_EQ(tanh_of(0.0F), 0.0F);
  EXPECT_EQ(tanh_of(std::numeric_limits<float>::infinity()), 1.0F);
  EXPECT_EQ(tanh_of(-1e30F), -1.0F);
  EXPECT_TRUE(std::isnan(tanh_of(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace headwise
