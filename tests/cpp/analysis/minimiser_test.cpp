#include "headwise/analysis/minimiser.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/random.hpp"

namespace headwise::analysis {
namespace {

// Runs `function(x, gradient)` to its end from `start`; how often it was asked.
template <class Function>
int minimise(Minimiser& minimiser, const std::vector<double>& start, Function function) {
  minimiser.begin(static_cast<std::int64_t>(start.size()));
  std::copy(start.begin(), start.end(), minimiser.point());
  int asked = 1;
  while (minimiser.tell(function(minimiser.point(), minimiser.gradient()))) ++asked;
  return asked;
}

TEST(Minimiser, FindsTheMiddleOfBowlsOfEverySizeAndStretch) {
  test::Random random(1);
  Minimiser minimiser;
  ASSERT_TRUE(minimiser.create(33).ok());
  for (const std::size_t size : {1, 2, 7, 8, 9, 33}) {
    SCOPED_TRACE(size);
    const std::vector<float> middle = random.normals(static_cast<std::int64_t>(size));
    const auto bowl = [&](const double* x, double* gradient) {
      double value = 0.0;
      for (std::size_t i = 0; i < size; ++i) {
        const double stretch = std::pow(1e4, static_cast<double>(i) / static_cast<double>(size));
        const double away = x[i] - double{middle[i]};
        gradient[i] = stretch * away;
        value += stretch * away * away / 2.0;
      }
      return value;
    };
    EXPECT_LT(minimise(minimiser, std::vector<double>(size, 3.0), bowl), 1000);
    EXPECT_LT(minimiser.value(), 1e-9);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(minimiser.best()[i], middle[i], 1e-4);
  }
}

TEST(Minimiser, FollowsRosenbrocksValley) {
  Minimiser minimiser;
  ASSERT_TRUE(minimiser.create(2).ok());
  minimise(minimiser, {-1.2, 1.0}, [](const double* x, double* gradient) {
    const double a = 1.0 - x[0];
    const double b = x[1] - x[0] * x[0];
    gradient[0] = -2.0 * a - 400.0 * x[0] * b;
    gradient[1] = 200.0 * b;
    return a * a + 100.0 * b * b;
  });
  EXPECT_NEAR(minimiser.best()[0], 1.0, 1e-4);
  EXPECT_NEAR(minimiser.best()[1], 1.0, 1e-4);
}

TEST(Minimiser, TakesNoStepToWhereNothingIsDefined) {
  Minimiser minimiser;
  ASSERT_TRUE(minimiser.create(1).ok());
  // x - log x has its minimum at 1 and no value at or below 0.
  minimise(minimiser, {20.0}, [](const double* x, double* gradient) {
    gradient[0] = 1.0 - 1.0 / x[0];
    return x[0] > 0.0 ? x[0] - std::log(x[0]) : std::numeric_limits<double>::quiet_NaN();
  });
  EXPECT_NEAR(minimiser.best()[0], 1.0, 1e-3);
}

TEST(Minimiser, IsDoneAtOnceWhereTheGradientIsNothing) {
  Minimiser minimiser;
  ASSERT_TRUE(minimiser.create(2).ok());
  const int asked = minimise(minimiser, {1.0, 2.0}, [](const double*, double* gradient) {
    gradient[0] = gradient[1] = 0.0;
    return 5.0;
  });
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(minimiser.value(), 5.0);
  EXPECT_EQ(minimiser.best()[1], 2.0);
}

}  // namespace
}  // namespace headwise::analysis
