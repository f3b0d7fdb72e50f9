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
double time_of(void (*turn)(TrialData&), int most_turns, TrialData& data) {
  const auto start = std::chrono::steady_clock::now();
  double seconds = 0.0;
  int turns = 0;
  while (seconds < kTrialSeconds && turns < most_turns) {
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

// 1000, 2000, 3000 and 4000, each with the dot of four `left` and four `right` added; in a function
// of its own, by a pointer that no optimiser sees through.
std::array<std::int32_t, 4> sums_with_dots(std::int8_t left, std::int8_t right) {
  void (*volatile work)(const std::int8_t*, const std::int8_t*, std::int32_t*) = add_dots;
  std::int8_t a[16];
  std::int8_t b[16];
  std::array<std::int32_t, 4> sums = {1000, 2000, 3000, 4000};
  std::fill_n(a, 16, left);
  std::fill_n(b, 16, right);
  work(a, b, sums.data());
  return sums;
}

// The baseline compiler of V8 11.3 takes the register of a dot's third operand for a temporary one
// where nothing else holds that operand, on x64 without VNNI, and forgets what was to be added.
// This asks for it in the simplest form: run once, it is compiled by the baseline compiler wherever
// anything is.
bool quad_dot_adds() {
  return sums_with_dots(-3, 100) == std::array<std::int32_t, 4>{-200, 800, 1800, 2800};
}

// What a dot is when its second operand has eight bits is left to engines, and says what they have.
// x64 takes it for unsigned: with an instruction for the whole (VNNI) the sum is exact, without one
// its halves stay within 16 bits. Others take it for signed, which says nothing.
std::optional<IntegerKernel> kernel_of_instruction() {
  const std::int32_t dot = sums_with_dots(127, -1)[0] - 1000;
  if (dot == 4 * 127 * 255) return IntegerKernel::kQuads;
  if (dot == 2 * 32767) return IntegerKernel::kPairs;
  return std::nullopt;
}

// By trials, both by turns, the shortest of each: both are disturbed alike. A clock too coarse to
// tell them apart leaves the pairs.
IntegerKernel faster_kernel() {
  TrialData data;
  double pairs = 1.0;
  double quads = 1.0;
  const bool has_quads = has_quad_kernel();
  if (has_quads) {
    if (const auto known = kernel_of_instruction()) return *known;
  }
  // Builds with one kernel take a turn too: all of them then import the clock, and share their
  // JavaScript.
  const int most_turns = has_quads ? kMostTurns : 1;
  for (int trial = 0; trial < (has_quads ? kTrials : 1); ++trial) {
    pairs = std::min(pairs, time_of(take_turn<PairTile, kPairRows>, most_turns, data));
    if (has_quads)
      quads = std::min(quads, time_of(take_turn<QuadTile, kQuadRows>, most_turns, data));
  }
  return quads < pairs ? IntegerKernel::kQuads : IntegerKernel::kPairs;
}

std::optional<IntegerKernel> chosen;

}  // namespace

bool has_quad_kernel() { return simd::kHasQuadDot && quad_dot_adds(); }

IntegerKernel integer_kernel() {
  if (!chosen.has_value()) chosen = faster_kernel();
  return *chosen;
}

void set_integer_kernel(IntegerKernel kernel) {
  assert(has_quad_kernel() || kernel == IntegerKernel::kPairs);
  chosen = kernel;
}

}  // namespace headwise::kernels
