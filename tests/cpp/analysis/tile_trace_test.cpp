// The trace against what it claims to be, in double precision: after each tile a row's maximum, sum
// and output are those of all keys so far; at the end stands the output of the attention op.
#include "headwise/analysis/tile_trace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/random.hpp"

namespace headwise {
namespace {

using analysis::TileTrace;
using analysis::TileTraceCall;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Sizes {
  std::int64_t queries, keys, width, value_width, query_tile, key_tile;
  bool causal = false;
};

struct TraceCase {
  TraceCase(const Sizes& s, std::uint64_t seed, float magnitude = 1.0F) : sizes(s) {
    test::Random random(seed);
    query = random.normals(s.queries * s.width, magnitude);
    key = random.normals(s.keys * s.width);
    value = random.normals(s.keys * s.value_width);
    call.query = {query.data(), 2, {s.queries, s.width}};
    call.key = {key.data(), 2, {s.keys, s.width}};
    call.value = {value.data(), 2, {s.keys, s.value_width}};
    call.query_tile = s.query_tile;
    call.key_tile = s.key_tile;
    call.causal = s.causal;
  }
  TraceCase(const TraceCase&) = delete;
  TraceCase& operator=(const TraceCase&) = delete;

  double score(std::int64_t i, std::int64_t j) const {
    if (sizes.causal && j > i) return -kInfinity;
    double dot = 0.0;
    for (std::int64_t d = 0; d < sizes.width; ++d) {
      dot += static_cast<double>(query[i * sizes.width + d]) * key[j * sizes.width + d];
    }
    return dot / std::sqrt(static_cast<double>(sizes.width));
  }

  Sizes sizes;
  std::vector<float> query, key, value;
  TileTraceCall call;
};

// What row i knows of the keys before `end`.
struct Known {
  double maximum = -kInfinity, sum = 0.0;
  std::vector<double> output;
};

Known known_of(const TraceCase& c, std::int64_t i, std::int64_t end) {
  const std::int64_t width = c.sizes.value_width;
  Known known{-kInfinity, 0.0, std::vector<double>(static_cast<std::size_t>(width))};
  for (std::int64_t j = 0; j < end; ++j) known.maximum = std::max(known.maximum, c.score(i, j));
  if (known.maximum == -kInfinity) return known;
  for (std::int64_t j = 0; j < end; ++j) {
    const double weight = std::exp(c.score(i, j) - known.maximum);
    known.sum += weight;
    for (std::int64_t d = 0; d < width; ++d) {
      known.output[static_cast<std::size_t>(d)] += weight * c.value[j * width + d];
    }
  }
  return known;
}

void expect_trace(const Sizes& s, std::uint64_t seed) {
  const TraceCase c(s, seed);
  TileTrace trace;
  ASSERT_TRUE(trace.compute(c.call).ok());
  const std::int64_t tile = std::min(s.key_tile, s.keys);
  ASSERT_EQ(trace.key_tiles(), (s.keys + tile - 1) / tile);
  for (std::int64_t i = 0; i < s.queries; ++i) {
    double before = -kInfinity;
    for (std::int64_t t = 0; t < trace.key_tiles(); ++t) {
      const Known known = known_of(c, i, std::min((t + 1) * tile, s.keys));
      const std::int64_t at = t * s.queries + i;
      if (known.maximum == -kInfinity) {
        EXPECT_EQ(trace.maximum()[at], -kInfinity);
      } else {
        EXPECT_NEAR(trace.maximum()[at], known.maximum, 2e-6 * std::fabs(known.maximum) + 1e-6);
      }
      EXPECT_NEAR(trace.sum()[at], known.sum, 3e-6 * known.sum);
      const double rescale = known.maximum > before ? std::exp(before - known.maximum) : 1.0;
      EXPECT_NEAR(trace.rescale()[at], rescale, 3e-6);
      for (std::int64_t d = 0; d < s.value_width; ++d) {
        EXPECT_NEAR(trace.accumulated()[at * s.value_width + d],
                    known.output[static_cast<std::size_t>(d)], 5e-6 * (1.0 + known.sum));
      }
      before = known.maximum;
    }
    const Known all = known_of(c, i, s.keys);
    for (std::int64_t d = 0; d < s.value_width; ++d) {
      EXPECT_NEAR(trace.output()[i * s.value_width + d],
                  all.output[static_cast<std::size_t>(d)] / all.sum, 5e-6);
    }
  }
}

TEST(TileTrace, KnowsAfterEachTileWhatAllKeysSoFarSay) {
  for (const bool causal : {false, true}) {
    for (std::int64_t tile : {1, 2, 3, 5, 12, 99}) {
      expect_trace({12, 12, 8, 6, 4, tile, causal}, 1);
      expect_trace({7, 13, 5, 3, tile, 4, causal}, 2);
    }
  }
  expect_trace({1, 1, 1, 1, 1, 1}, 3);
}

TEST(TileTrace, EndsInTheOutputOfTheOp) {
  const Sizes s{33, 70, 32, 32, 8, 16};
  TraceCase c(s, 4);
  TileTrace trace;
  ASSERT_TRUE(trace.compute(c.call).ok());
  AttentionCall call;
  call.query = {c.query.data(), 4, {1, 1, s.queries, s.width}};
  call.key = {c.key.data(), 4, {1, 1, s.keys, s.width}};
  call.value = {c.value.data(), 4, {1, 1, s.keys, s.value_width}};
  AttentionShape shape;
  ASSERT_TRUE(validate(call, &shape).ok());
  AttentionProblem problem = resolve(call, shape, nullptr, nullptr);
  std::vector<float> output(static_cast<std::size_t>(shape.output_size()));
  problem.output = Tensor<float, 4>::contiguous(output.data(), {1, 1, s.queries, s.value_width});
  ASSERT_TRUE(attention(problem).ok());
  for (std::size_t i = 0; i < output.size(); ++i) EXPECT_NEAR(trace.output()[i], output[i], 2e-6);
}

// Sums over all steps, by the formula: queries and outputs once, keys and values once for each
// tile of queries that sees them.
TEST(TileTrace, CountsWhatMoves) {
  const Sizes s{10, 12, 4, 6, 5, 4};
  const auto moved_of = [](const TraceCase& c) {
    TileTrace trace;
    EXPECT_TRUE(trace.compute(c.call).ok());
    double sum = 0.0;
    for (std::int64_t i = 0; i < trace.query_tiles() * trace.key_tiles(); ++i) {
      sum += trace.moved()[i];
    }
    return sum;
  };
  EXPECT_EQ(moved_of(TraceCase(s, 5)), 10 * (4 + 6) + 2 * 12 * (4 + 6));
  Sizes causal = s;
  causal.causal = true;
  // Queries 0-4 see the tiles of keys 0-3 and 4-7, queries 5-9 all three.
  EXPECT_EQ(moved_of(TraceCase(causal, 5)), 10 * (4 + 6) + (8 + 12) * (4 + 6));
}

TEST(TileTrace, RefusesWhatDoesNotFit) {
  const auto argument_of = [](auto change) {
    TraceCase c({3, 4, 2, 2, 2, 2}, 6);
    change(c.call);
    TileTrace trace;
    const Status status = trace.compute(c.call);
    return status.ok() ? std::string("accepted") : status.argument();
  };
  EXPECT_EQ(argument_of([](TileTraceCall& c) { c.query.rank = 3; }), "query");
  EXPECT_EQ(argument_of([](TileTraceCall& c) { c.query.dims[0] = 0; }), "query");
  EXPECT_EQ(argument_of([](TileTraceCall& c) { c.key.dims[1] = 3; }), "key");
  EXPECT_EQ(argument_of([](TileTraceCall& c) { c.value.dims[0] = 3; }), "value");
  EXPECT_EQ(argument_of([](TileTraceCall& c) { c.query_tile = 0; }), "queryTile");
  EXPECT_EQ(argument_of([](TileTraceCall& c) { c.key_tile = -1; }), "keyTile");
  EXPECT_EQ(argument_of([](TileTraceCall&) {}), "accepted");
}

TEST(TileTrace, NaNStaysInItsRow) {
  TraceCase c({3, 4, 2, 2, 2, 2}, 7);
  c.query[0] = std::numeric_limits<float>::quiet_NaN();
  TileTrace trace;
  ASSERT_TRUE(trace.compute(c.call).ok());
  EXPECT_TRUE(std::isnan(trace.output()[0]));
  for (int i = 2; i < 6; ++i) EXPECT_TRUE(std::isfinite(trace.output()[i]));
}

TEST(TileTrace, RunningOutOfMemoryIsAStatus) {
  TraceCase c({64, 64, 8, 8, 8, 8}, 8);
  TileTrace trace;
  set_memory_limit(memory_use().used + 1000);
  const Status status = trace.compute(c.call);
  set_memory_limit(std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace headwise
