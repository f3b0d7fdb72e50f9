#include "kernels/integer_kernel.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <optional>

#include "kernels/integer_tile.hpp"

namespace headwise::kernels {
namespace {

// 12 rows are whole tiles of both kernels. Small enough for the first-level cache.
constexpr int kTrialRows = 12;
constexpr std::int64_t kTrialQuads = 64;
constexpr int kTrials = 4;
// Clocks of pages tick every 5 or 100 microseconds, some browsers' far less often: a trial ends
// when it has lasted so many seconds, or has had so many turns that it would have on a slow
// machine.
constexpr double kTrialSeconds = 0.0005;
constexpr int kMostTurns = 1000;

struct TrialData {
  std::int16_t x[kTrialRows * kTrialQuads * kQuad] = {};
  std::int8_t panel[kTrialQuads * kQuad * kPanelColumns] = {};
  std::int32_t sums[kMostIntegerRows * kPanelColumns] = {};
};

template <template <int> class IntegerTile, int Rows>
void take_turn(TrialData& data) {
  for (int row = 0; row < kTrialRows; row += Rows) {
    constexpr std::int64_t kStride = kTrialQuads * kQuad;
    IntegerTile<Rows>::multiply(data.x + row * kStride, kStride, data.panel, kTrialQuads,
                                data.sums);
  }
}

// Seconds of a turn; 0 where the clock did not move.
double time_of(void (*turn)(TrialData&), TrialData& data) {
  const auto start = std::chrono::steady_clock::now();
  double seconds = 0.0;
  int turns = 0;
  while (seconds < kTrialSeconds && turns < kMostTurns) {
    turn(data);
    ++turns;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return seconds / turns;
}

// sums[i] += the dots of four bytes each.
void add_dots(const std::int8_t* a, const std::int8_t* b, std::int32_t* sums) {
  simd::store(sums, simd::dot_quads(simd::load(a), simd::load(b), simd::load(sums)));
}

// The baseline compiler of V8 11.3 takes the register of a dot's third operand for a temporary one
// where nothing else holds that operand, on x64 without VNNI, and forgets what was to be added.
// This asks for it in the simplest form, in a function of its own, by a pointer that no optimiser
// sees through: run once, it is compiled by the baseline compiler wherever anything is.
bool quad_dot_adds() {
  void (*volatile work)(const std::int8_t*, const std::int8_t*, std::int32_t*) = add_dots;
  std::int8_t a[16];
  std::int8_t b[16];
  std::int32_t sums[4] = {1000, 2000, 3000, 4000};
  std::fill_n(a, 16, std::int8_t{-3});
  std::fill_n(b, 16, std::int8_t{100});
  work(a, b, sums);
  return std::ranges::equal(sums, std::to_array({-200, 800, 1800, 2800}));
}

// Trials of both by turns, the shortest of each: both are disturbed alike. A clock too coarse to
// tell them apart leaves the pairs.
IntegerKernel faster_kernel() {
  TrialData data;
  double pairs = 1.0;
  double quads = 1.0;
  const bool has_quads = has_quad_kernel();
  for (int trial = 0; trial < (has_quads ? kTrials : 1); ++trial) {
    pairs = std::min(pairs, time_of(take_turn<PairTile, kPairRows>, data));
    if (has_quads) quads = std::min(quads, time_of(take_turn<QuadTile, kQuadRows>, data));
  }
  return quads < pairs ? IntegerKernel::kQuads : IntegerKernel::kPairs;
}

std::optional<IntegerKernel> chosen;

}  // namespace

bool has_quad_kernel() { return simd::kHasQuadDot && quad_dot_adds(); }

IntegerKernel integer_kernel() {
  // Builds with one kernel try it too: all of them then import the clock, and share their
  // JavaScript.
  if (!chosen.has_value()) chosen = faster_kernel();
  return *chosen;
}

void set_integer_kernel(IntegerKernel kernel) {
  assert(has_quad_kernel() || kernel == IntegerKernel::kPairs);
  chosen = kernel;
}

}  // namespace headwise::kernels
