#include "headwise/embedding.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "headwise/reference.hpp"
#include "support/random.hpp"

namespace headwise {
namespace {

using test::Random;

std::vector<float> look_up(const EmbeddingTable& table, const std::vector<std::int32_t>& ids) {
  const std::int64_t count = static_cast<std::int64_t>(ids.size());
  const Status status = table.check(ids.data(), count, "ids");
  EXPECT_TRUE(status.ok()) << status.received();
  std::vector<float> y(static_cast<std::size_t>(count * table.width()));
  table.lookup(ids.data(), count, Tensor<float, 2>::contiguous(y.data(), {count, table.width()}));
  return y;
}

TEST(Embedding, FloatRowsComeBackAsTheyCame) {
  Random random(1);
  const std::vector<float> values = random.normals(9 * 5);
  EmbeddingTable table;
  ASSERT_TRUE(table.create(9, 5, "embed.token").ok());
  EXPECT_FALSE(table.complete());
  ASSERT_TRUE(table.set_rows(nullptr, 9, values.data()).ok());
  EXPECT_TRUE(table.complete());
  const std::vector<std::int32_t> ids = {8, 0, 3, 3};
  const std::vector<double> wide(values.begin(), values.end());
  std::vector<double> expected(ids.size() * 5);
  reference::embedding(wide.data(), 5, ids.data(), 4, expected.data());
  const std::vector<float> got = look_up(table, ids);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], expected[i]);
}

TEST(Embedding, Int8RowsInInstalmentsEqualTheWholeTable) {
  Random random(2);
  constexpr std::int64_t kRows = 40;
  constexpr std::int64_t kWidth = 6;
  std::vector<std::int8_t> values(kRows * kWidth);
  for (std::int8_t& value : values) value = static_cast<std::int8_t>(random.integer(-127, 127));
  std::vector<float> scales(kRows);
  for (float& scale : scales) scale = static_cast<float>(random.uniform());

  EmbeddingTable table;
  ASSERT_TRUE(table.create(kRows, kWidth, "embed.token").ok());
  const std::vector<std::int32_t> first = {39, 2, 17};
  std::vector<std::int8_t> first_values;
  std::vector<float> first_scales;
  for (const std::int32_t id : first) {
    first_values.insert(first_values.end(), values.begin() + id * kWidth,
                        values.begin() + (id + 1) * kWidth);
    first_scales.push_back(scales[static_cast<std::size_t>(id)]);
  }
  ASSERT_TRUE(table.set_rows(first.data(), 3, first_values.data(), first_scales.data()).ok());
  EXPECT_EQ(table.present_rows(), 3);
  EXPECT_TRUE(table.has_row(17));
  EXPECT_FALSE(table.has_row(18));
  const std::vector<float> early = look_up(table, first);

  std::vector<std::int32_t> half(20);
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = static_cast<std::int32_t>(i);
  ASSERT_TRUE(table.set_rows(half.data(), 20, values.data(), scales.data()).ok());
  EXPECT_EQ(table.present_rows(), 21);  // 2 and 17 were there
  ASSERT_TRUE(table.set_rows(nullptr, kRows, values.data(), scales.data()).ok());
  EXPECT_TRUE(table.complete());
  EXPECT_EQ(look_up(table, first), early);
  for (std::int32_t id = 0; id < kRows; ++id) {
    const std::vector<float> row = look_up(table, {id});
    for (std::int64_t c = 0; c < kWidth; ++c) {
      EXPECT_EQ(row[static_cast<std::size_t>(c)],
                static_cast<float>(values[static_cast<std::size_t>(id * kWidth + c)]) *
                    scales[static_cast<std::size_t>(id)]);
    }
  }
}

TEST(Embedding, FewRowsOfALargeTableTakeLittleMemory) {
  EmbeddingTable table;
  const std::size_t before = memory_use().used;
  ASSERT_TRUE(table.create(30000, 384, "embed.token").ok());
  const std::vector<std::int32_t> ids = {5, 29999};
  const std::vector<std::int8_t> values(2 * 384);
  const std::vector<float> scales(2);
  ASSERT_TRUE(table.set_rows(ids.data(), 2, values.data(), scales.data()).ok());
  EXPECT_LT(memory_use().used - before, 200000U);
}

TEST(Embedding, SaysWhichRowIsWrongOrMissing) {
  EmbeddingTable table;
  ASSERT_TRUE(table.create(4, 2, "embed.token").ok());
  const std::vector<std::int32_t> present = {1};
  const std::vector<float> values = {1.0F, 2.0F};
  ASSERT_TRUE(table.set_rows(present.data(), 1, values.data()).ok());

  const std::vector<std::int32_t> absent = {1, 2};
  Status status = table.check(absent.data(), 2, "ids");
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_EQ(status.argument(), "ids");
  EXPECT_NE(status.received().find("row 2"), std::string::npos);

  const std::vector<std::int32_t> outside = {4};
  status = table.check(outside.data(), 1, "ids");
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.expected().find("0 to 3"), std::string::npos);

  EXPECT_EQ(table.set_rows(outside.data(), 1, values.data()).code(), StatusCode::kInvalidArgument);
  const std::vector<std::int8_t> bytes = {1, 2};
  EXPECT_EQ(table.set_rows(absent.data(), 1, bytes.data(), values.data()).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(table.present_rows(), 1);
}

TEST(Embedding, RowsOfAMatrixArePartOfItsProducts) {
  Random random(5);
  constexpr std::int64_t kRows = 21;
  constexpr std::int64_t kWidth = 10;
  const std::vector<float> values = random.normals(kRows * kWidth);
  const std::vector<float> x = random.normals(kWidth);
  for (const WeightType type : {WeightType::kFloat32, WeightType::kInt8}) {
    EmbeddingTable table;
    ASSERT_TRUE(table.create(kRows, kWidth, "embed.token", type).ok());
    const std::vector<std::int32_t> late = {20, 0, 7};
    std::vector<float> rows;
    for (const std::int32_t id : late) {
      rows.insert(rows.end(), values.begin() + id * kWidth, values.begin() + (id + 1) * kWidth);
    }
    ASSERT_TRUE(table.set_rows(late.data(), 3, rows.data()).ok());
    EXPECT_EQ(table.present_rows(), 3);
    EXPECT_FALSE(table.has_row(1));
    EXPECT_FALSE(table.complete());
    ASSERT_TRUE(table.set_rows(nullptr, kRows, values.data()).ok());
    EXPECT_TRUE(table.complete());
    const double tolerance = type == WeightType::kFloat32 ? 0.0 : 0.02;
    const std::vector<float> got = look_up(table, late);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], rows[i], tolerance);
    std::vector<float> y(kRows);
    ASSERT_TRUE(table.matrix()
                    .forward(Tensor<const float, 2>::contiguous(x.data(), {1, kWidth}),
                             Tensor<float, 2>::contiguous(y.data(), {1, kRows}))
                    .ok());
    for (std::int32_t id = 0; id < kRows; ++id) {
      const std::vector<float> row = look_up(table, {id});
      double sum = 0.0;
      for (std::size_t c = 0; c < kWidth; ++c) sum += static_cast<double>(row[c]) * x[c];
      EXPECT_NEAR(y[static_cast<std::size_t>(id)], sum, 1e-3);
    }
    // Int8 rows are widened in a float32 matrix.
    const std::vector<std::int8_t> bytes(kWidth, 3);
    const float scale = 0.5F;
    ASSERT_TRUE(table.set_rows(late.data(), 1, bytes.data(), &scale).ok());
    EXPECT_EQ(look_up(table, {20}), std::vector<float>(kWidth, 1.5F));
  }
}

}  // namespace
}  // namespace headwise
