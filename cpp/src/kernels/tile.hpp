// The register tile: rows of A times panels of 8 columns, accumulated in depth order.
//
//   acc[r][8 * p + c] += sum over k of A[r][k] * B[p][k][c]
//
// Every element is one chain of multiply-adds in the order of k, whatever the tile's shape: so a
// row's bits do not depend on how many neighbours it was computed with. Loads and stores of the
// accumulators are the caller's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/simd.hpp"

namespace headwise::kernels {

inline constexpr int kPanelColumns = 8;

constexpr std::int64_t panel_count(std::int64_t columns) {
  return (columns + kPanelColumns - 1) / kPanelColumns;
}

// B is `Panels` panels, `panel_stride` apart; row k of a panel lies k * b_stride from its start.
struct PanelView {
  const float* data;
  std::int64_t b_stride;
  std::int64_t panel_stride;
};

template <int Rows, int Panels>
struct Tile {
  simd::F32x4 acc[Rows][2 * Panels];

  void clear() {
    HEADWISE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      HEADWISE_UNROLL
      for (int v = 0; v < 2 * Panels; ++v) acc[r][v] = simd::splat(0.0F);
    }
  }

  // Port x latency = 8 accumulators keep two multiply-add units busy: few rows take more panels.
  // One step a turn: unrolled, LLVM and Binaryen gather an accumulator's multiply-adds of several
  // steps into one chain, the columns of all of them stay alive, and V8 runs out of registers
  // (experiment 3 in tests/bench/EXPERIMENTS.md). Inlined always, or the accumulators would live in
  // memory.
  [[gnu::always_inline]] void multiply(const float* a, std::int64_t a_stride, const PanelView& b,
                                       std::int64_t depth) {
    const float* rows[Rows];
    HEADWISE_UNROLL
    for (int r = 0; r < Rows; ++r) rows[r] = a + r * a_stride;
    const float* b_row = b.data;
    const auto b_stride = static_cast<std::ptrdiff_t>(b.b_stride);
    const auto panel_stride = static_cast<std::ptrdiff_t>(b.panel_stride);
    const auto steps = static_cast<std::ptrdiff_t>(depth);
    for (std::ptrdiff_t k = 0; k < steps; ++k, b_row += b_stride) {
      step(rows, k, b_row, panel_stride);
    }
  }

  // The same for rows that lie interleaved, [depth][Rows]: one forward stream (pack.hpp).
  [[gnu::always_inline]] void multiply_interleaved(const float* a, const float* panel,
                                                   std::int64_t depth) {
    static_assert(Panels == 1);
    const float* end = panel + depth * kPanelColumns;
    for (; panel != end; panel += kPanelColumns, a += Rows) {
      const simd::F32x4 low = simd::load(panel);
      const simd::F32x4 high = simd::load(panel + 4);
      HEADWISE_UNROLL
      for (int r = 0; r < Rows; ++r) {
        const simd::F32x4 value = simd::splat(a[r]);
        acc[r][0] = simd::multiply_add(value, low, acc[r][0]);
        acc[r][1] = simd::multiply_add(value, high, acc[r][1]);
      }
    }
  }

 private:
  [[gnu::always_inline]] void step(const float* const (&rows)[Rows], std::ptrdiff_t k,
                                   const float* b_row, std::ptrdiff_t panel_stride) {
    simd::F32x4 columns[2 * Panels];
    HEADWISE_UNROLL
    for (int p = 0; p < Panels; ++p) {
      columns[2 * p] = simd::load(b_row + p * panel_stride);
      columns[2 * p + 1] = simd::load(b_row + p * panel_stride + 4);
    }
    HEADWISE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const simd::F32x4 value = simd::splat(rows[r][k]);
      HEADWISE_UNROLL
      for (int v = 0; v < 2 * Panels; ++v) {
        acc[r][v] = simd::multiply_add(value, columns[v], acc[r][v]);
      }
    }
  }
};

// How many panels a tile of so many rows takes at once.
constexpr int panels_for_rows(int rows) { return rows == 1 ? 4 : (rows == 2 ? 2 : 1); }

// The next lower register tile: fewer shapes than rows, since each is code to download.
constexpr int lower_tile(int rows) { return rows > 4 ? 4 : rows / 2; }

// Calls visit.operator()<Rows>() for the tallest register tile that so many rows fill, of those up
// to `Tallest`, and returns its height.
template <int Tallest, class Visit>
inline int with_rows(std::int64_t rows, Visit&& visit) {
  if constexpr (Tallest > 1) {
    if (rows < Tallest) return with_rows<lower_tile(Tallest)>(rows, visit);
  }
  visit.template operator()<Tallest>();
  return Tallest;
}

}  // namespace headwise::kernels
