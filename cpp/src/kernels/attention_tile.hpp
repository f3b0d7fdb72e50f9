// The three steps of attention on one tile: a group of query rows against the keys of a tile.
// Scores into a small buffer, the online softmax on it, the weighted sum of the values onto the
// output so far. Plain functions on pointers; masks and what is kept are the caller's.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/elementary.hpp"
#include "kernels/tile.hpp"

namespace headwise::kernels {

// Scores of a group of rows, [rows, stride].
struct ScoreRows {
  float* data;
  std::int64_t stride;

  float* row(int r) const { return data + r * stride; }
};

constexpr std::int64_t round_up_to_panel(std::int64_t count) {
  return (count + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
}

// Sums longer than this are cut, so that the rounding error grows with the root of the cuts.
inline constexpr std::int64_t kDepthCut = 128;

template <int Rows, int Panels>
void score_panels(const float* queries, std::int64_t depth, PanelView keys, float scale,
                  const ScoreRows& scores, std::int64_t panel) {
  keys.data += panel * keys.panel_stride;
  for (std::int64_t start = 0; start < depth; start += kDepthCut) {
    const std::int64_t part = std::min(kDepthCut, depth - start);
    Tile<Rows, Panels> tile;
    tile.clear();
    tile.multiply(queries + start, depth, keys, part);
    keys.data += part * keys.b_stride;
    const auto each = [&](auto visit) {
      HEADWISE_UNROLL
      for (int r = 0; r < Rows; ++r) {
        float* target = scores.row(r) + panel * kPanelColumns;
        HEADWISE_UNROLL
        for (int v = 0; v < 2 * Panels; ++v) visit(target + 4 * v, tile.acc[r][v]);
      }
    };
    if (start > 0) {
      each([](const float* before, simd::F32x4& sum) { sum = simd::load(before) + sum; });
    }
    const simd::F32x4 factor = simd::splat(start + part == depth ? scale : 1.0F);
    each([&](float* target, simd::F32x4 sum) { simd::store(target, sum * factor); });
  }
}

// scores[r][j] = scale * query r . key j for the tile's first `count` keys, in whole panels.
// queries [Rows, depth] contiguous.
template <int Rows>
void score_tile(const float* queries, std::int64_t depth, const PanelView& keys, float scale,
                const ScoreRows& scores, std::int64_t count) {
  constexpr int panels_at_once = panels_for_rows(Rows);
  const std::int64_t panels = round_up_to_panel(count) / kPanelColumns;
  std::int64_t panel = 0;
  for (; panel + panels_at_once <= panels; panel += panels_at_once) {
    score_panels<Rows, panels_at_once>(queries, depth, keys, scale, scores, panel);
  }
  if constexpr (panels_at_once > 1) {
    for (; panel < panels; ++panel) {
      score_panels<Rows, 1>(queries, depth, keys, scale, scores, panel);
    }
  }
}

// Scores become exp(score - maximum). `maximum` and `sums` [4], one partial sum a lane, follow; the
// return value is what brings the output so far to the new maximum. All in vectors: the row's
// maximum stands in every lane. The scores must be filled to a whole panel. One function for tiles
// of all shapes: inlined into each, as often as they have rows, it would be a third of the code.
[[gnu::noinline]] inline simd::F32x4 softmax_row(float* scores, std::int64_t count, float* maximum,
                                                 float* sums) {
  const std::int64_t padded = round_up_to_panel(count);
  const Exp2NonPositive exp2;
  const simd::F32x4 log2e = simd::splat(kLog2E);
  const simd::F32x4 before = simd::splat(*maximum);
  simd::F32x4 high_even = before;
  simd::F32x4 high_odd = before;
  for (std::int64_t j = 0; j < padded; j += 8) {
    high_even = simd::pseudo_max(high_even, simd::load(scores + j));
    high_odd = simd::pseudo_max(high_odd, simd::load(scores + j + 4));
  }
  const simd::F32x4 top = simd::broadcast_max(simd::pseudo_max(high_even, high_odd));
  const simd::F32x4 rescale = exp2((before - top) * log2e);
  *maximum = top.get(0);
  simd::F32x4 sum_even = simd::load(sums) * rescale;
  simd::F32x4 sum_odd = simd::splat(0.0F);
  for (std::int64_t j = 0; j < padded; j += 8) {
    const simd::F32x4 even = exp2((simd::load(scores + j) - top) * log2e);
    const simd::F32x4 odd = exp2((simd::load(scores + j + 4) - top) * log2e);
    sum_even = sum_even + even;
    sum_odd = sum_odd + odd;
    simd::store(scores + j, even);
    simd::store(scores + j + 4, odd);
  }
  simd::store(sums, sum_even + sum_odd);
  return rescale;
}

template <int Rows, int Panels>
void accumulate_panels(const ScoreRows& weights, std::int64_t count, PanelView values,
                       std::int64_t panel, float* output, std::int64_t width,
                       const simd::F32x4 (&rescale)[Rows]) {
  Tile<Rows, Panels> tile;
  output += panel * kPanelColumns;
  HEADWISE_UNROLL
  for (int r = 0; r < Rows; ++r) {
    HEADWISE_UNROLL
    for (int v = 0; v < 2 * Panels; ++v) {
      tile.acc[r][v] = simd::load(output + r * width + 4 * v) * rescale[r];
    }
  }
  values.data += panel * values.panel_stride;
  tile.multiply(weights.data, weights.stride, values, count);
  HEADWISE_UNROLL
  for (int r = 0; r < Rows; ++r) {
    HEADWISE_UNROLL
    for (int v = 0; v < 2 * Panels; ++v) {
      simd::store(output + r * width + 4 * v, tile.acc[r][v]);
    }
  }
}

// output [Rows, width] = output * rescale + weights * values, one load and store of the output.
template <int Rows>
void accumulate_tile(const ScoreRows& weights, std::int64_t count, const PanelView& values,
                     float* output, std::int64_t width, const simd::F32x4 (&rescale)[Rows]) {
  constexpr int panels_at_once = panels_for_rows(Rows);
  const std::int64_t panels = width / kPanelColumns;
  std::int64_t panel = 0;
  for (; panel + panels_at_once <= panels; panel += panels_at_once) {
    accumulate_panels<Rows, panels_at_once>(weights, count, values, panel, output, width, rescale);
  }
  if constexpr (panels_at_once > 1) {
    for (; panel < panels; ++panel) {
      accumulate_panels<Rows, 1>(weights, count, values, panel, output, width, rescale);
    }
  }
}

// The same sums for one row over a tile with NaN or infinity among its values: keys whose bit is
// set in `hidden` are left out instead of being multiplied by 0.
[[gnu::noinline]] inline void accumulate_visible(const float* weights, std::int64_t count,
                                                 const PanelView& values, float* output,
                                                 std::int64_t width, simd::F32x4 rescale,
                                                 std::uint64_t hidden) {
  for (std::int64_t c = 0; c < width; c += 4) {
    const float* column = values.data + c / kPanelColumns * values.panel_stride + c % kPanelColumns;
    simd::F32x4 sum = simd::load(output + c) * rescale;
    for (std::int64_t j = 0; j < count; ++j) {
      if ((hidden >> j & 1U) != 0) continue;
      sum = simd::multiply_add(simd::splat(weights[j]), simd::load(column + j * values.b_stride),
                               sum);
    }
    simd::store(output + c, sum);
  }
}

}  // namespace headwise::kernels
