// Rows times packed panels: the loops around the register tiles of float32 and int8 weights.
//
// A panel stays in the first-level cache while all rows of a block pass it; the block's rows come
// from the second level. The caller chooses blocks that fit there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "headwise/linear.hpp"
#include "kernels/epilogue.hpp"
#include "kernels/integer_kernel.hpp"
#include "kernels/integer_tile.hpp"
#include "kernels/pack.hpp"
#include "kernels/simd.hpp"
#include "kernels/tile.hpp"

namespace headwise::kernels {

struct FloatProduct {
  const float* x;  // [rows, depth]
  std::int64_t x_stride;
  std::int64_t rows;
  const float* panels;  // of y's first column, at the first input used
  std::int64_t panel_stride;
  std::int64_t depth;
  float* y;  // [rows, columns]
  std::int64_t y_stride;
  std::int64_t columns;
  std::int64_t first_panel, last_panel;  // of y's columns, those to compute: [first, last)
  float* interleaved;  // room for the rows in whole tiles, interleaved_floats(rows, depth)
};

constexpr std::int64_t interleaved_floats(std::int64_t rows, std::int64_t depth) {
  return rows / simd::kTileRows * simd::kTileRows * depth;
}

template <int Rows, int Panels>
inline void finish_tile(const Tile<Rows, Panels>& tile, const FloatProduct& p,
                        const Epilogue& epilogue, std::int64_t row, std::int64_t panel) {
  float sums[Rows][Panels * kPanelColumns];
  HEADWISE_UNROLL
  for (int r = 0; r < Rows; ++r) {
    HEADWISE_UNROLL
    for (int v = 0; v < 2 * Panels; ++v) simd::store(sums[r] + 4 * v, tile.acc[r][v]);
  }
  for (int q = 0; q < Panels; ++q) {
    finish_rows(epilogue, sums[0] + q * kPanelColumns, Panels * kPanelColumns, Rows,
                (panel + q) * kPanelColumns, p.columns, p.y + row * p.y_stride, p.y_stride);
  }
}

template <int Rows, int Panels>
inline void multiply_tile(const FloatProduct& p, const Epilogue& epilogue, std::int64_t row,
                          std::int64_t panel) {
  Tile<Rows, Panels> tile;
  tile.clear();
  tile.multiply(p.x + row * p.x_stride, p.x_stride,
                {p.panels + panel * p.panel_stride, kPanelColumns, p.panel_stride}, p.depth);
  finish_tile(tile, p, epilogue, row, panel);
}

// Rows that fill the tallest tile are interleaved once for all panels: rows a power of two apart
// would push each other out of the first-level cache.
inline void multiply_whole_tiles(const FloatProduct& p, const Epilogue& epilogue,
                                 std::int64_t rows) {
  constexpr int kRows = simd::kTileRows;
  for (std::int64_t row = 0; row < rows; row += kRows) {
    pack_transposed_panel<kRows>(p.x + row * p.x_stride, p.x_stride, kRows, p.depth,
                                 p.interleaved + row * p.depth);
  }
  for (std::int64_t panel = p.first_panel; panel < p.last_panel; ++panel) {
    for (std::int64_t row = 0; row < rows; row += kRows) {
      Tile<kRows, 1> tile;
      tile.clear();
      tile.multiply_interleaved(p.interleaved + row * p.depth, p.panels + panel * p.panel_stride,
                                p.depth);
      finish_tile(tile, p, epilogue, row, panel);
    }
  }
}

inline void multiply(const FloatProduct& p, const Epilogue& epilogue) {
  std::int64_t row = p.rows / simd::kTileRows * simd::kTileRows;
  multiply_whole_tiles(p, epilogue, row);
  while (row < p.rows) {
    row += with_rows<lower_tile(simd::kTileRows)>(p.rows - row, [&]<int Rows>() {
      constexpr int kGroup = panels_for_rows(Rows);
      std::int64_t panel = p.first_panel;
      for (; panel + kGroup <= p.last_panel; panel += kGroup) {
        multiply_tile<Rows, kGroup>(p, epilogue, row, panel);
      }
      if constexpr (kGroup > 1) {
        for (; panel < p.last_panel; ++panel) multiply_tile<Rows, 1>(p, epilogue, row, panel);
      }
    });
  }
}

struct IntegerProduct {
  const std::int16_t* x;  // [rows, 4 * quads] in the kernel's own form
  std::int64_t x_stride;
  const float* units;  // [rows]: what one unit of x is worth
  std::int64_t rows;
  const std::int8_t* panels;  // of y's first column, at the first quad used
  std::int64_t panel_stride;
  std::int64_t quads;
  const std::int32_t* zeros;          // of y's columns: what their sums are for a row of zeros
  const float* scales;                // of y's columns, readable to a whole panel
  std::span<const Outlier> outliers;  // by row, which is a column of y
  const float* floats;                // [rows, in]: x as it was, for the outliers
  std::int64_t floats_stride;
  float* y;  // [rows, columns]
  std::int64_t y_stride;
  std::int64_t columns;
  std::int64_t first_panel, last_panel;  // of y's columns, those to compute: [first, last)
};

// Those of columns [column, column + 8) of y.
inline std::span<const Outlier> outliers_of_panel(std::span<const Outlier> all,
                                                  std::int64_t column) {
  const auto first = std::ranges::lower_bound(all, column, {}, &Outlier::row);
  const auto last = std::ranges::lower_bound(all, column + kPanelColumns, {}, &Outlier::row);
  return {first, last};
}

// Adds what they contribute to one row of y: plain products and sums, the same on every build.
inline void add_outliers(std::span<const Outlier> outliers, const float* x, std::int64_t column,
                         float* y) {
  float lanes[kPanelColumns] = {};
  for (const Outlier& outlier : outliers) {
    lanes[outlier.row - column] += x[outlier.column] * outlier.value;
  }
  for (int c = 0; c < kPanelColumns; ++c) y[c] += lanes[c];
}

// From the integer sums of a tile to its part of y.
[[gnu::noinline]] inline void finish_integer_tile(const IntegerProduct& p, const Epilogue& epilogue,
                                                  std::span<const Outlier> outliers,
                                                  const std::int32_t* sums, int rows,
                                                  std::int64_t row, std::int64_t column) {
  float floats[kMostIntegerRows * kPanelColumns];
  for (int r = 0; r < rows; ++r) {
    float* target = floats + r * kPanelColumns;
    for (int c = 0; c < kPanelColumns; c += 4) {
      const simd::I32x4 zero = simd::load(p.zeros + column + c);
      const simd::I32x4 sum = simd::load(sums + r * kPanelColumns + c) - zero;
      const simd::F32x4 unit = simd::splat(p.units[row + r]) * simd::load(p.scales + column + c);
      simd::store(target + c, xsimd::to_float(sum) * unit);
    }
    if (!outliers.empty()) {
      add_outliers(outliers, p.floats + (row + r) * p.floats_stride, column, target);
    }
  }
  finish_rows(epilogue, floats, kPanelColumns, rows, column, p.columns, p.y + row * p.y_stride,
              p.y_stride);
}

// Rows from `row` on times one panel, by tiles of so many rows and then fewer.
template <template <int> class IntegerTile, int Rows>
inline void multiply_panel(const IntegerProduct& p, const Epilogue& epilogue,
                           std::span<const Outlier> outliers, std::int64_t row,
                           std::int64_t panel) {
  std::int32_t sums[Rows * kPanelColumns];
  for (; row + Rows <= p.rows; row += Rows) {
    IntegerTile<Rows>::multiply(p.x + row * p.x_stride, p.x_stride,
                                p.panels + panel * p.panel_stride, p.quads, sums);
    finish_integer_tile(p, epilogue, outliers, sums, Rows, row, panel * kPanelColumns);
  }
  if constexpr (Rows > 1) {
    multiply_panel<IntegerTile, (Rows > 3 ? 2 : Rows - 1)>(p, epilogue, outliers, row, panel);
  }
}

inline void multiply(const IntegerProduct& p, IntegerKernel kernel, const Epilogue& epilogue) {
  for (std::int64_t panel = p.first_panel; panel < p.last_panel; ++panel) {
    const std::span<const Outlier> outliers = outliers_of_panel(p.outliers, panel * kPanelColumns);
    if (simd::kHasQuadDot && kernel == IntegerKernel::kQuads) {
      multiply_panel<QuadTile, kQuadRows>(p, epilogue, outliers, 0, panel);
    } else {
      multiply_panel<PairTile, kPairRows>(p, epilogue, outliers, 0, panel);
    }
  }
}

}  // namespace headwise::kernels
