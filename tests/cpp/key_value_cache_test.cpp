// Keys and values appended in any pieces give what one pass gives, and truncation really forgets.
#include "headwise/key_value_cache.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/attention_case.hpp"
#include "support/expect_rows.hpp"

namespace headwise {
namespace {

using test::AttentionCase;
using test::Random;

// Rows [first, last) of a contiguous [B, H, S, D].
Tensor<const float, 4> positions(const std::vector<float>& data, std::int64_t batch,
                                 std::int64_t heads, std::int64_t length, std::int64_t dim,
                                 std::int64_t first, std::int64_t last) {
  auto view = Tensor<const float, 4>::contiguous(data.data(), {batch, heads, length, dim});
  view.data = view.at(0, 0, first);
  view.dims[2] = last - first;
  return view;
}

TEST(KeyValueCache, AnyChunkingEqualsOnePass) {
  const std::int64_t length = 75;
  const std::int64_t dim = 12;
  const std::int64_t value_dim = 9;
  for (std::int64_t chunk : {1, 3, 8, 13, 75}) {
    Random random(11);
    AttentionCase c({2, 4, 2, length, length, dim, value_dim}, random);
    c.call.causal = true;
    test::AttentionResult whole;
    ASSERT_TRUE(test::run_attention(c, ScoresPoint::kNone, false, &whole).ok());

    KeyValueCache cache;
    ASSERT_TRUE(cache.create({2, 2, dim, value_dim, 80}).ok());
    std::vector<float> output(whole.output.size());
    for (std::int64_t first = 0; first < length; first += chunk) {
      const std::int64_t last = std::min(length, first + chunk);
      AttentionProblem problem = resolve(c.call, c.shape, nullptr, nullptr);
      cache.append(positions(c.key, 2, 2, length, dim, first, last),
                   positions(c.value, 2, 2, length, value_dim, first, last));
      cache.attach(&problem);
      problem.query = positions(c.query, 2, 4, length, dim, first, last);
      problem.offset = first;
      problem.output = Tensor<float, 4>::contiguous(output.data(), {2, 4, length, value_dim});
      problem.output.data = problem.output.at(0, 0, first);
      problem.output.dims[2] = last - first;
      ASSERT_TRUE(attention(problem).ok());
    }
    test::expect_rows_near(output.data(), whole.output.data(), 2 * 4 * length, value_dim, 2e-6,
                           0.25);

    std::vector<float> keys(c.key.size());
    cache.copy_keys(keys.data());
    EXPECT_EQ(keys, c.key);
    std::vector<float> values(c.value.size());
    cache.copy_values(values.data());
    EXPECT_EQ(values, c.value);
  }
}

TEST(KeyValueCache, TruncationForgets) {
  Random random(12);
  AttentionCase c({1, 1, 1, 1, 10, 8, 8}, random);
  KeyValueCache cache;
  ASSERT_TRUE(cache.create({1, 1, 8, 8, 16}).ok());
  cache.append(positions(c.key, 1, 1, 10, 8, 0, 10), positions(c.value, 1, 1, 10, 8, 0, 10));
  EXPECT_FALSE(cache.truncate(11).ok());
  EXPECT_FALSE(cache.truncate(-1).ok());
  ASSERT_TRUE(cache.truncate(4).ok());
  EXPECT_EQ(cache.length(), 4);

  const auto run = [&](const KeyValueCache& from) {
    AttentionShape shape;
    EXPECT_TRUE(validate(c.call, &shape).ok());
    AttentionProblem problem = resolve(c.call, shape, nullptr, nullptr);
    from.attach(&problem);
    std::vector<float> output(8);
    problem.output = Tensor<float, 4>::contiguous(output.data(), {1, 1, 1, 8});
    EXPECT_TRUE(attention(problem).ok());
    return output;
  };
  KeyValueCache fresh;
  ASSERT_TRUE(fresh.create({1, 1, 8, 8, 16}).ok());
  fresh.append(positions(c.key, 1, 1, 10, 8, 0, 4), positions(c.value, 1, 1, 10, 8, 0, 4));
  EXPECT_EQ(run(cache), run(fresh));
}

TEST(KeyValueCache, RefusesImpossibleSizes) {
  KeyValueCache cache;
  EXPECT_EQ(cache.create({0, 1, 8, 8, 16}).argument(), "batch");
  EXPECT_EQ(cache.create({1, 1, 8, 8, 0}).argument(), "capacity");
  EXPECT_EQ(cache.create({1, 1, 8, 8, std::int64_t{1} << 60}).code(), StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace headwise
