#include "text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace headwise {
namespace {

TEST(Text, PrintsNumbersAsJavaScriptDoes) {
  EXPECT_EQ(text(0.0), "0");
  EXPECT_EQ(text(-0.0), "0");
  EXPECT_EQ(text(5.0), "5");
  EXPECT_EQ(text(-3.0), "-3");
  EXPECT_EQ(text(0.5), "0.5");
  EXPECT_EQ(text(-12.25), "-12.25");
  EXPECT_EQ(text(100.0), "100");
  EXPECT_EQ(text(1234567890.0), "1234567890");
  EXPECT_EQ(text(0.000001), "0.000001");
  EXPECT_EQ(text(1e-7), "1e-7");
  EXPECT_EQ(text(1.5e-12), "1.5e-12");
  EXPECT_EQ(text(1e20), "100000000000000000000");
  EXPECT_EQ(text(1e21), "1e+21");
  EXPECT_EQ(text(-2.5e300), "-2.5e+300");
}

TEST(Text, RoundsToNineDigits) {
  EXPECT_EQ(text(static_cast<double>(0.1F)), "0.100000001");
  EXPECT_EQ(text(1.0 / 3.0), "0.333333333");
  EXPECT_EQ(text(2.0 / 3.0), "0.666666667");
  EXPECT_EQ(text(9.9999999999), "10");
  EXPECT_EQ(text(0.99999999999), "1");
}

TEST(Text, PrintsWhatIsNoOrdinaryNumber) {
  EXPECT_EQ(text(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(text(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(text(-std::numeric_limits<double>::infinity()), "-Infinity");
  EXPECT_EQ(text(std::numeric_limits<double>::denorm_min()), "4.94065646e-324");
}

TEST(Text, PrintsWholeNumbersToTheLast) {
  EXPECT_EQ(text(std::int64_t{0}), "0");
  EXPECT_EQ(text(std::int64_t{-10}), "-10");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

TEST(Text, PrintsShapes) {
  const std::int64_t dims[] = {2, 6, 5};
  EXPECT_EQ(shape_text(dims, 3), "[2, 6, 5]");
  EXPECT_EQ(shape_text(dims, 0), "[]");
}

}  // namespace
}  // namespace headwise
