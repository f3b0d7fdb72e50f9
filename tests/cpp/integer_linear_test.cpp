// Linear layers with int8 weights: their integer sums and outliers bit for bit, by each kernel.
#include "headwise/linear.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

#include "kernels/integer_kernel.hpp"
#include "kernels/simd.hpp"
#include "support/linear_case.hpp"
#include "support/random.hpp"

namespace headwise {
namespace {

using test::kSizes;
using test::Random;
using test::Sizes;
using test::view;

// Layers made while it lives have this kernel of int8 weights.
class WithKernel {
 public:
  explicit WithKernel(kernels::IntegerKernel kernel) { kernels::set_integer_kernel(kernel); }
  ~WithKernel() { kernels::set_integer_kernel(kernels::IntegerKernel::kPairs); }
  WithKernel(const WithKernel&) = delete;
  WithKernel& operator=(const WithKernel&) = delete;
};

// Those of this build and engine.
std::vector<kernels::IntegerKernel> integer_kernels() {
  std::vector<kernels::IntegerKernel> all = {kernels::IntegerKernel::kPairs};
  if (kernels::has_quad_kernel()) all.push_back(kernels::IntegerKernel::kQuads);
  return all;
}

TEST(IntegerLinear, TheKernelOfInt8WeightsIsChosenOnceAmongThoseOfTheBuild) {
  const kernels::IntegerKernel first = kernels::integer_kernel();
  EXPECT_EQ(kernels::integer_kernel(), first);
  const std::vector<kernels::IntegerKernel> all = integer_kernels();
  EXPECT_NE(std::find(all.begin(), all.end(), first), all.end());
}

// The meaning of an int8 layer in plain integers, and of its outliers by row, column and value.
std::vector<float> plain_int8(const std::vector<float>& x, const std::vector<std::int8_t>& weight,
                              const std::vector<float>& scales, const std::vector<float>& bias,
                              const Sizes& s, std::int32_t limit,
                              std::vector<Outlier> outliers = {}) {
  std::ranges::sort(outliers, {},
                    [](const Outlier& o) { return std::tuple(o.row, o.column, o.value); });
  std::vector<float> y(static_cast<std::size_t>(s.rows * s.out));
  std::vector<std::int64_t> integers(static_cast<std::size_t>(s.in));
  for (std::int64_t row = 0; row < s.rows; ++row) {
    float largest = 0.0F;
    for (std::int64_t k = 0; k < s.in; ++k) {
      largest = std::max(largest, std::fabs(x[static_cast<std::size_t>(row * s.in + k)]));
    }
    const float factor = static_cast<float>(limit) / largest;
    for (std::int64_t k = 0; k < s.in; ++k) {
      integers[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(
          std::nearbyint(x[static_cast<std::size_t>(row * s.in + k)] * factor));
    }
    for (std::int64_t o = 0; o < s.out; ++o) {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < s.in; ++k) {
        sum +=
            integers[static_cast<std::size_t>(k)] * weight[static_cast<std::size_t>(o * s.in + k)];
      }
      EXPECT_LT(std::llabs(sum), std::int64_t{1} << 31);
      float beside = 0.0F;
      for (const Outlier& outlier : outliers) {
        if (outlier.row != o) continue;
        beside += x[static_cast<std::size_t>(row * s.in + outlier.column)] * outlier.value;
      }
      const float unit = 1.0F / factor;
      y[static_cast<std::size_t>(row * s.out + o)] =
          static_cast<float>(sum) * (unit * scales[static_cast<std::size_t>(o)]) + beside +
          bias[static_cast<std::size_t>(o)];
    }
  }
  return y;
}

void expect_plain_integers(const Sizes& s, Random& random) {
  const std::vector<float> x = random.normals(s.rows * s.in);
  std::vector<std::int8_t> weight(static_cast<std::size_t>(s.out * s.in));
  for (std::int8_t& w : weight) w = static_cast<std::int8_t>(random.integer(-127, 127));
  std::vector<float> scales(static_cast<std::size_t>(s.out));
  for (float& scale : scales) scale = static_cast<float>(0.001 + 0.01 * random.uniform());
  const std::vector<float> bias = random.normals(s.out);
  Linear layer;
  ASSERT_TRUE(layer.create(s.in, s.out, WeightType::kInt8, true).ok());
  layer.set_rows(0, s.out, weight.data(), scales.data());
  layer.set_bias(0, s.out, bias.data());
  std::vector<float> y(static_cast<std::size_t>(s.rows * s.out));
  ASSERT_TRUE(layer.forward(view(x.data(), s.rows, s.in), view(y.data(), s.rows, s.out)).ok());
  const std::vector<float> plain = plain_int8(x, weight, scales, bias, s, 8191);
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_EQ(y[i], plain[i]) << "element " << i << " of " << s.in << " inputs";
  }
}

TEST(IntegerLinear, Int8SumsAreThoseOfPlainIntegersBitForBit) {
  for (const kernels::IntegerKernel kernel : integer_kernels()) {
    const WithKernel with(kernel);
    Random random(4);
    for (const Sizes& s : kSizes) expect_plain_integers(s, random);
  }
}

// An int8 matrix with outliers: two in a row, one in the first and the last, none in most.
struct OutlierCase {
  Sizes sizes;
  std::vector<float> x, scales, bias;
  std::vector<std::int8_t> weight;
  std::vector<Outlier> outliers;

  OutlierCase(const Sizes& s, std::uint64_t seed) : sizes(s) {
    Random random(seed);
    x = random.normals(s.rows * s.in);
    bias = random.normals(s.out);
    weight.resize(static_cast<std::size_t>(s.out * s.in));
    for (std::int8_t& w : weight) w = static_cast<std::int8_t>(random.integer(-127, 127));
    scales.resize(static_cast<std::size_t>(s.out));
    for (float& scale : scales) scale = static_cast<float>(0.001 + 0.01 * random.uniform());
    outliers = {{0, s.in - 1, 7.9F},
                {s.out / 2, 0, -4.5F},
                {s.out / 2, s.in / 2, 3.25F},
                {s.out - 1, s.in / 3, 1e3F}};
    for (const Outlier& o : outliers) {
      weight[static_cast<std::size_t>(o.row * s.in + o.column)] = 0;
    }
  }

  void fill(Linear* layer, WeightType type) const {
    ASSERT_TRUE(layer->create(sizes.in, sizes.out, type, true).ok());
    layer->set_rows(0, sizes.out, weight.data(), scales.data(), outliers);
    layer->set_bias(0, sizes.out, bias.data());
  }

  std::vector<float> run(const Linear& layer, const LinearOptions& options = {}) const {
    const std::int64_t columns = options.outputs < 0 ? sizes.out : options.outputs;
    std::vector<float> y(static_cast<std::size_t>(sizes.rows * columns), 0.5F);
    EXPECT_TRUE(layer
                    .forward(view(x.data(), sizes.rows, sizes.in),
                             view(y.data(), sizes.rows, columns), options)
                    .ok());
    return y;
  }
};

TEST(IntegerLinear, OutliersStandBesideTheIntegerSumsBitForBit) {
  for (const Sizes& s : kSizes) {
    const OutlierCase c(s, 11);
    Linear layer;
    c.fill(&layer, WeightType::kInt8);
    const std::vector<float> plain =
        plain_int8(c.x, c.weight, c.scales, c.bias, s, 8191, c.outliers);
    const std::vector<float> y = c.run(layer);
    const std::vector<float> added = c.run(layer, {.accumulate = true});
    for (std::size_t i = 0; i < y.size(); ++i) {
      ASSERT_EQ(y[i], plain[i]) << "element " << i << " of " << s.out << " outputs";
      ASSERT_EQ(added[i], 0.5F + plain[i]);
    }
    std::vector<float> activated(plain.size());
    apply_activation(ActivationFunction::kGelu, plain.data(), activated.data(),
                     static_cast<std::int64_t>(plain.size()));
    EXPECT_EQ(c.run(layer, {.activation = ActivationFunction::kGelu}), activated);
  }
}

TEST(IntegerLinear, TheKernelsOfInt8WeightsGiveTheSameBits) {
  const Sizes sizes[] = {{1, 4, 8},   {2, 6, 9},     {3, 9, 17},
                         {7, 31, 24}, {13, 384, 40}, {5, 4099, 8}};
  for (const Sizes& s : sizes) {
    const OutlierCase c(s, 21);
    std::vector<std::vector<float>> results;
    for (const kernels::IntegerKernel kernel : integer_kernels()) {
      const WithKernel with(kernel);
      Linear layer;
      c.fill(&layer, WeightType::kInt8);
      std::vector<float> all = c.run(layer);
      for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1}, s.in / 2, s.in - 1}) {
        for (const std::int64_t inputs : {std::int64_t{1}, (s.in - first + 1) / 2, s.in - first}) {
          const std::vector<float> part = c.run(layer, {.first_input = first, .inputs = inputs});
          all.insert(all.end(), part.begin(), part.end());
        }
      }
      results.push_back(std::move(all));
    }
    for (const std::vector<float>& result : results) EXPECT_EQ(result, results.front());
  }
}

TEST(IntegerLinear, OutliersArePartOfAWidenedMatrix) {
  const OutlierCase c({5, 33, 21}, 12);
  std::vector<float> weight(c.weight.size());
  for (std::size_t i = 0; i < weight.size(); ++i) {
    weight[i] = static_cast<float>(c.weight[i]) * c.scales[i / 33];
  }
  for (const Outlier& o : c.outliers)
    weight[static_cast<std::size_t>(o.row * 33 + o.column)] = o.value;
  Linear widened;
  Linear expected;
  c.fill(&widened, WeightType::kFloat32);
  c.fill(&expected, WeightType::kFloat32);
  expected.set_rows(0, 21, weight.data());
  EXPECT_EQ(c.run(widened), c.run(expected));
}

TEST(IntegerLinear, RowsAndBiasesAreReadBackAsTheProductsUseThem) {
  for (const Sizes& s : {Sizes{1, 33, 21}, Sizes{1, 8, 16}, Sizes{1, 7, 3}}) {
    const OutlierCase c(s, 14);
    std::vector<float> weight(c.weight.size());
    for (std::size_t i = 0; i < weight.size(); ++i) {
      weight[i] = static_cast<float>(c.weight[i]) * c.scales[i / static_cast<std::size_t>(s.in)];
    }
    for (const Outlier& o : c.outliers) {
      weight[static_cast<std::size_t>(o.row * s.in + o.column)] += o.value;
    }
    for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
      Linear layer;
      c.fill(&layer, type);
      std::vector<float> bias(c.bias.size());
      layer.copy_bias(0, s.out, bias.data());
      EXPECT_EQ(bias, c.bias);
      std::vector<float> rows(weight.size());
      layer.copy_rows(0, s.out, rows.data());
      EXPECT_EQ(rows, weight);
      // Some rows, from the middle of a panel on.
      const std::int64_t count = s.out - 2;
      rows.assign(static_cast<std::size_t>(count * s.in), 0.0F);
      layer.copy_rows(2, count, rows.data());
      EXPECT_EQ(rows, std::vector<float>(weight.begin() + 2 * s.in, weight.end()));
    }
  }
}

TEST(IntegerLinear, OutliersBelongToTheirRowsAndColumns) {
  const OutlierCase c({7, 30, 24}, 13);
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    Linear layer;
    c.fill(&layer, type);
    const std::vector<float> whole = c.run(layer);
    // Columns of y, with the two outliers of row 12 and that of row 23.
    const std::vector<float> columns = c.run(layer, {.first_output = 8, .outputs = 16});
    for (std::size_t i = 0; i < columns.size(); ++i) {
      EXPECT_EQ(columns[i], whole[i / 16 * 24 + 8 + i % 16]);
    }
    // Columns of x: the parts sum to the whole.
    std::vector<float> sum(whole.size());
    for (std::int64_t first = 0; first < 30; first += 5) {
      const std::vector<float> part =
          c.run(layer, {.first_input = first, .inputs = 5, .bias = first == 0});
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
      EXPECT_NEAR(sum[i], whole[i], 1e-6 * std::fabs(whole[i]) + 2e-5);
    }
    // Rows of a fused matrix, in any order: outliers count their rows from the part's first.
    Linear fused;
    ASSERT_TRUE(fused.create(30, 24, type, true).ok());
    fused.set_bias(0, 24, c.bias.data());
    fused.set_rows(0, 24, c.weight.data(), c.scales.data(), std::vector<Outlier>{{3, 3, 99.0F}});
    for (const std::int64_t first : {16, 0, 8}) {
      std::vector<Outlier> own;
      for (Outlier o : c.outliers) {
        o.row -= first;
        if (o.row >= 0 && o.row < 8) own.push_back(o);
      }
      fused.set_rows(first, 8, c.weight.data() + first * 30, c.scales.data() + first, own);
    }
    EXPECT_EQ(c.run(fused), whole);
    // Rows set anew have no outliers left.
    const std::vector<float> zeros(static_cast<std::size_t>(24 * 30));
    fused.set_rows(0, 24, zeros.data());
    EXPECT_EQ(c.run(fused)[0], c.bias[0]);
  }
}

TEST(IntegerLinear, Int8SumsDoNotOverflowWhereEveryProductIsLargest) {
  const Sizes s{1, 4099, 1};  // 12 bits: 4099 * 127 * 2^13 would not fit
  const std::vector<float> x(static_cast<std::size_t>(s.in), 3.0F);
  const std::vector<std::int8_t> weight(static_cast<std::size_t>(s.in), -127);
  const float scale = 1.0F;
  Linear layer;
  ASSERT_TRUE(layer.create(s.in, s.out, WeightType::kInt8, false).ok());
  layer.set_rows(0, 1, weight.data(), &scale);
  float y = 0.0F;
  ASSERT_TRUE(layer.forward(view(x.data(), 1, s.in), view(&y, 1, 1)).ok());
  EXPECT_NEAR(y, -3.0 * 127.0 * 4099.0, 0.5);
}

TEST(IntegerLinear, Int8RoundsActivationsTo13Bits) {
  Random random(5);
  const Sizes s{8, 384, 24};
  const std::vector<float> x = random.normals(s.rows * s.in);
  std::vector<std::int8_t> weight(static_cast<std::size_t>(s.out * s.in));
  for (std::int8_t& w : weight) w = static_cast<std::int8_t>(random.integer(-127, 127));
  const std::vector<float> scales(static_cast<std::size_t>(s.out), 1.0F / 127.0F);
  std::vector<float> results[2];
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    Linear layer;
    ASSERT_TRUE(layer.create(s.in, s.out, type, false).ok());
    layer.set_rows(0, s.out, weight.data(), scales.data());
    std::vector<float>& y = results[type == WeightType::kInt8 ? 1 : 0];
    y.resize(static_cast<std::size_t>(s.rows * s.out));
    ASSERT_TRUE(layer.forward(view(x.data(), s.rows, s.in), view(y.data(), s.rows, s.out)).ok());
  }
  // Each of 384 errors is at most half a unit of about 4 / 8191, and they go in all directions.
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    EXPECT_NEAR(results[0][i], results[1][i], 6.0 * std::sqrt(384.0 / 3.0) * 0.5 * 4.5 / 8191.0);
  }
  EXPECT_NE(results[0], results[1]);
}

TEST(IntegerLinear, FloatRowsRoundToInt8WithinHalfAStep) {
  Random random(6);
  const std::int64_t in = 21;
  const std::vector<float> weight = random.normals(in);
  Linear layer;
  ASSERT_TRUE(layer.create(in, 1, WeightType::kInt8, false).ok());
  layer.set_rows(0, 1, weight.data());
  float largest = 0.0F;
  for (const float w : weight) largest = std::max(largest, std::fabs(w));
  for (std::int64_t k = 0; k < in; ++k) {
    std::vector<float> x(static_cast<std::size_t>(in));
    x[static_cast<std::size_t>(k)] = 1.0F;
    float y = 0.0F;
    ASSERT_TRUE(layer.forward(view(x.data(), 1, in), view(&y, 1, 1)).ok());
    EXPECT_NEAR(y, weight[static_cast<std::size_t>(k)], 0.501 * largest / 127.0);
  }
}

}  // namespace
}  // namespace headwise
