// The recurrent layer against its definition in double precision.
#include "headwise/recurrent_layer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/random.hpp"

namespace headwise {
namespace {

struct Case {
  Case(std::int64_t b, std::int64_t s, std::int64_t in, std::int64_t outputs, bool with_bias)
      : batch(b), length(s), inputs(in), width(outputs) {
    test::Random random(static_cast<std::uint64_t>(s * 100 + outputs));
    x = random.normals(b * s * in);
    input = random.normals(width * in, 1.0F / std::sqrt(static_cast<float>(in)));
    hidden = random.normals(width * width, 1.0F / std::sqrt(static_cast<float>(width)));
    weights.input = {input.data(), 2, {width, in}};
    weights.hidden = {hidden.data(), 2, {width, width}};
    if (with_bias) {
      bias = random.normals(width);
      weights.bias = {bias.data(), 1, {width}};
    }
    argument = {x.data(), 3, {b, s, in}};
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  std::vector<double> expected() const {
    std::vector<double> y(static_cast<std::size_t>(batch * length * width));
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t t = 0; t < length; ++t) {
        for (std::int64_t i = 0; i < width; ++i) {
          double sum = bias.empty() ? 0.0 : bias[i];
          for (std::int64_t j = 0; j < inputs; ++j) {
            sum += static_cast<double>(input[i * inputs + j]) * x[(b * length + t) * inputs + j];
          }
          for (std::int64_t j = 0; t > 0 && j < width; ++j) {
            sum += static_cast<double>(hidden[i * width + j]) *
                   y[static_cast<std::size_t>((b * length + t - 1) * width + j)];
          }
          y[static_cast<std::size_t>((b * length + t) * width + i)] = std::tanh(sum);
        }
      }
    }
    return y;
  }

  std::int64_t batch, length, inputs, width;
  std::vector<float> x, input, hidden, bias;
  RecurrentWeights weights;
  TensorArgument argument;
};

std::vector<float> run(const RecurrentLayer& layer, const Case& c) {
  std::vector<float> y(static_cast<std::size_t>(c.batch * c.length * c.width), -77.0F);
  EXPECT_TRUE(layer.validate(c.argument).ok());
  EXPECT_TRUE(layer.begin(c.argument, y.data()).ok());
  for (std::int64_t t = 0; t < c.length; ++t) {
    EXPECT_TRUE(layer.step(c.argument, y.data(), t).ok());
  }
  return y;
}

TEST(RecurrentLayer, AgreesWithItsDefinition) {
  for (std::int64_t width : {1, 3, 8, 13, 40}) {
    for (const bool bias : {false, true}) {
      const Case c(2, 9, 7, width, bias);
      RecurrentLayer layer;
      ASSERT_TRUE(layer.create(c.weights).ok());
      const std::vector<float> y = run(layer, c);
      const std::vector<double> expected = c.expected();
      for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 2e-5) << width;
    }
  }
}

TEST(RecurrentLayer, ABatchIsItsSequences) {
  const Case both(2, 5, 4, 6, true);
  RecurrentLayer layer;
  ASSERT_TRUE(layer.create(both.weights).ok());
  const std::vector<float> y = run(layer, both);
  TensorArgument second = both.argument;
  second.data += 5 * 4;
  second.dims[0] = 1;
  std::vector<float> alone(5 * 6);
  ASSERT_TRUE(layer.begin(second, alone.data()).ok());
  for (std::int64_t t = 0; t < 5; ++t) ASSERT_TRUE(layer.step(second, alone.data(), t).ok());
  EXPECT_EQ(std::vector<float>(y.begin() + 5 * 6, y.end()), alone);
}

TEST(RecurrentLayer, RefusesWhatDoesNotFit) {
  const auto argument_of = [](auto change) {
    Case c(1, 2, 3, 4, true);
    change(c);
    RecurrentLayer layer;
    Status status = layer.create(c.weights);
    if (status.ok()) status = layer.validate(c.argument);
    return status.ok() ? std::string("accepted") : status.argument();
  };
  EXPECT_EQ(argument_of([](Case& c) { c.weights.input.rank = 1; }), "weights.input");
  EXPECT_EQ(argument_of([](Case& c) { c.weights.hidden.dims[0] = 3; }), "weights.hidden");
  EXPECT_EQ(argument_of([](Case& c) { c.weights.bias.dims[0] = 3; }), "weights.bias");
  EXPECT_EQ(argument_of([](Case& c) { c.argument.dims[2] = 4; }), "x");
  EXPECT_EQ(argument_of([](Case& c) { c.argument.rank = 2; }), "x");
  EXPECT_EQ(argument_of([](Case&) {}), "accepted");
}

}  // namespace
}  // namespace headwise
