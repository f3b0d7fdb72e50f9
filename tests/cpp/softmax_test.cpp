#include "headwise/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "headwise/reference.hpp"
#include "support/expect_rows.hpp"
#include "support/random.hpp"

namespace headwise {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> softmax_of(std::vector<float> x) {
  const auto view =
      Tensor<float, 2>::contiguous(x.data(), {1, static_cast<std::int64_t>(x.size())});
  softmax(view, view);
  return x;
}

TEST(Softmax, MatchesTheReferenceAtEveryLength) {
  test::Random random(1);
  for (std::int64_t count = 1; count <= 67; ++count) {
    for (const float magnitude : {1.0F, 20.0F}) {
      std::vector<float> x = random.normals(count, magnitude);
      if (count > 3 && random.chance(0.5)) x[1] = -kInfinity;
      const std::vector<double> wide(x.begin(), x.end());
      std::vector<double> expected(x.size());
      reference::softmax(wide.data(), count, expected.data());
      test::expect_rows_near(softmax_of(x).data(), expected.data(), 1, count, 2e-6);
    }
  }
}

TEST(Softmax, LargeScoresDoNotOverflow) {
  EXPECT_EQ(softmax_of({1e30F, 1e30F}), (std::vector<float>{0.5F, 0.5F}));
  EXPECT_EQ(softmax_of({-1e30F, 1e30F, -1e30F}), (std::vector<float>{0.0F, 1.0F, 0.0F}));
}

TEST(Softmax, ARowThatHidesEverythingIsZeros) {
  EXPECT_EQ(softmax_of(std::vector<float>(6, -kInfinity)), std::vector<float>(6, 0.0F));
}

TEST(Softmax, NaNFillsItsRowAndNoOther) {
  std::vector<float> x = {0.0F, 1.0F, std::nanf(""), 2.0F, 3.0F, 0.0F, 1.0F, 2.0F, 3.0F, 4.0F};
  const auto view = Tensor<float, 2>::contiguous(x.data(), {2, 5});
  softmax(view, view);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(std::isnan(x[i]), i < 5) << i;
}

}  // namespace
}  // namespace headwise
