#include "kernels/integer_kernel.hpp"

#include <algorithm>
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
constexpr int kTrialCalls = 4;
constexpr int kTrials = 6;

struct TrialData {
  std::int16_t x[kTrialRows * kTrialQuads * kQuad] = {};
  std::int8_t panel[kTrialQuads * kQuad * kPanelColumns] = {};
  std::int32_t sums[kMostIntegerRows * kPanelColumns] = {};
};

template <template <int> class IntegerTile, int Rows>
void try_once(TrialData& data) {
  for (int call = 0; call < kTrialCalls; ++call) {
    for (int row = 0; row < kTrialRows; row += Rows) {
      constexpr std::int64_t kStride = kTrialQuads * kQuad;
      IntegerTile<Rows>::multiply(data.x + row * kStride, kStride, data.panel, kTrialQuads,
                                  data.sums);
    }
  }
}

double time_of(void (*work)(TrialData&), TrialData& data) {
  const auto start = std::chrono::steady_clock::now();
  work(data);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Taken in turns, the shortest of each: both are disturbed alike. A clock too coarse to tell them
// apart leaves the pairs.
IntegerKernel faster_kernel() {
  TrialData data;
  double pairs = 1.0;
  double quads = 1.0;
  for (int trial = 0; trial < kTrials; ++trial) {
    pairs = std::min(pairs, time_of(try_once<PairTile, kPairRows>, data));
    if (simd::kHasQuadDot) quads = std::min(quads, time_of(try_once<QuadTile, kQuadRows>, data));
  }
  return quads < pairs ? IntegerKernel::kQuads : IntegerKernel::kPairs;
}

std::optional<IntegerKernel> chosen;

}  // namespace

IntegerKernel integer_kernel() {
  // Builds with one kernel try it too: all of them then import the clock, and share their
  // JavaScript.
  if (!chosen.has_value()) chosen = faster_kernel();
  return *chosen;
}

void set_integer_kernel(IntegerKernel kernel) {
  assert(simd::kHasQuadDot || kernel == IntegerKernel::kPairs);
  chosen = kernel;
}

}  // namespace headwise::kernels
