// Sine and cosine against the standard library's.
#include "sine_cosine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace headwise {
namespace {

void expect_near(double angle, double tolerance) {
  const auto [sine, cosine] = sine_cosine(angle);
  ASSERT_NEAR(sine, std::sin(angle), tolerance) << angle;
  ASSERT_NEAR(cosine, std::cos(angle), tolerance) << angle;
}

TEST(SineCosine, AreThoseOfEveryAngleOfAModel) {
  for (double angle = -40.0; angle <= 40.0; angle += 0.00037) expect_near(angle, 3e-16);
  for (double angle = 1.0; angle < 1e9; angle *= 1.0003) {
    expect_near(angle, 3e-16);
    expect_near(-angle, 3e-16);
  }
}

TEST(SineCosine, AreExactWhereAnAxisIsMet) {
  EXPECT_EQ(sine_cosine(0.0).sine, 0.0);
  EXPECT_EQ(sine_cosine(0.0).cosine, 1.0);
  for (int quarters = -9; quarters <= 9; ++quarters) {
    const double angle = quarters * std::numbers::pi / 2.0;
    expect_near(angle, 1e-16);
    expect_near(std::nextafter(angle, 100.0), 1e-16);
    expect_near(angle / 2.0, 2e-16);
  }
  for (const double tiny : {1e-9, 1e-160, std::numeric_limits<double>::denorm_min()}) {
    EXPECT_EQ(sine_cosine(tiny).sine, tiny);
    EXPECT_EQ(sine_cosine(tiny).cosine, 1.0);
  }
}

TEST(SineCosine, AreThoseOfNeighboursOfALargeAngle) {
  for (double angle = 1e9; angle < 1e15; angle *= 1.007) {
    const double unit = std::nextafter(angle, 2.0 * angle) - angle;
    expect_near(angle, unit);
    expect_near(-angle, unit);
  }
}

TEST(SineCosine, EndHoweverLargeTheAngle) {
  for (double angle = 1e15; angle < std::numeric_limits<double>::max() / 2.0; angle *= 1.7) {
    const auto [sine, cosine] = sine_cosine(angle);
    ASSERT_NEAR(sine * sine + cosine * cosine, 1.0, 1e-15) << angle;
  }
  for (const double none :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sine_cosine(none).sine));
    EXPECT_TRUE(std::isnan(sine_cosine(none).cosine));
  }
}

}  // namespace
}  // namespace headwise
