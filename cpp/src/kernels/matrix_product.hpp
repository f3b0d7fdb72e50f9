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
#include "kernels/integer_tile.hpp"
#include "kernels/simd.hpp"
#include "kernels/tile.hpp"

namespace headwise::kernels {

// Rows of an integer tile: 8 sums, 2 weight vectors, an activation and the product.
inline constexpr int kIntegerTileRows = 4;

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
};

template <int Rows, int Panels>
inline void multiply_tile(const FloatProduct& p, const Epilogue& epilogue, std::int64_t row,
                          std::int64_t panel) {
  Tile<Rows, Panels> tile;
  tile.clear();
  tile.multiply(p.x + row * p.x_stride, p.x_stride,
                {p.panels + panel * p.panel_stride, kPanelColumns, p.panel_stride}, p.depth);
  for (int r = 0; r < Rows; ++r) {
    for (int q = 0; q < Panels; ++q) {
      finish(epilogue, tile.acc[r][2 * q], tile.acc[r][2 * q + 1], (panel + q) * kPanelColumns,
             p.columns, p.y + (row + r) * p.y_stride);
    }
  }
}

inline void multiply(const FloatProduct& p, const Epilogue& epilogue) {
  const std::int64_t panels = (p.columns + kPanelColumns - 1) / kPanelColumns;
  const std::int64_t whole = p.rows / simd::kTileRows * simd::kTileRows;
  for (std::int64_t panel = 0; panel < panels; ++panel) {
    for (std::int64_t row = 0; row < whole; row += simd::kTileRows) {
      multiply_tile<simd::kTileRows, 1>(p, epilogue, row, panel);
    }
  }
  if (whole == p.rows) return;
  with_rows(static_cast<int>(p.rows - whole), [&]<int Rows>() {
    constexpr int kGroup = panels_for_rows(Rows);
    std::int64_t panel = 0;
    for (; panel + kGroup <= panels; panel += kGroup) {
      multiply_tile<Rows, kGroup>(p, epilogue, whole, panel);
    }
    for (; panel < panels; ++panel) multiply_tile<Rows, 1>(p, epilogue, whole, panel);
  });
}

struct IntegerProduct {
  const std::int16_t* x;  // [rows, 2 * pairs]
  std::int64_t x_stride;
  const float* units;  // [rows]: what one unit of x is worth
  std::int64_t rows;
  const std::int8_t* panels;  // of y's first column, at the first pair used
  std::int64_t panel_stride;
  std::int64_t pairs;
  const float* scales;                // of y's columns, readable to a whole panel
  std::span<const Outlier> outliers;  // by row, which is a column of y
  const float* floats;                // [rows, in]: x as it was, for the outliers
  std::int64_t floats_stride;
  float* y;  // [rows, columns]
  std::int64_t y_stride;
  std::int64_t columns;
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
                         simd::F32x4* low, simd::F32x4* high) {
  float lanes[kPanelColumns] = {};
  for (const Outlier& outlier : outliers) {
    lanes[outlier.row - column] += x[outlier.column] * outlier.value;
  }
  *low += simd::load(lanes);
  *high += simd::load(lanes + 4);
}

template <int Rows>
inline void multiply_tile(const IntegerProduct& p, const Epilogue& epilogue,
                          std::span<const Outlier> outliers, std::int64_t row, std::int64_t panel) {
  IntegerTile<Rows> tile;
  tile.clear();
  tile.multiply(p.x + row * p.x_stride, p.x_stride, p.panels + panel * p.panel_stride, p.pairs);
  const std::int64_t column = panel * kPanelColumns;
  const simd::F32x4 low = simd::load(p.scales + column);
  const simd::F32x4 high = simd::load(p.scales + column + 4);
  for (int r = 0; r < Rows; ++r) {
    const simd::F32x4 unit = simd::splat(p.units[row + r]);
    simd::F32x4 left = xsimd::to_float(tile.acc[r][0]) * (unit * low);
    simd::F32x4 right = xsimd::to_float(tile.acc[r][1]) * (unit * high);
    if (!outliers.empty()) {
      add_outliers(outliers, p.floats + (row + r) * p.floats_stride, column, &left, &right);
    }
    finish(epilogue, left, right, column, p.columns, p.y + (row + r) * p.y_stride);
  }
}

inline void multiply(const IntegerProduct& p, const Epilogue& epilogue) {
  const std::int64_t panels = (p.columns + kPanelColumns - 1) / kPanelColumns;
  const std::int64_t whole = p.rows / kIntegerTileRows * kIntegerTileRows;
  for (std::int64_t panel = 0; panel < panels; ++panel) {
    const std::span<const Outlier> outliers = outliers_of_panel(p.outliers, panel * kPanelColumns);
    for (std::int64_t row = 0; row < whole; row += kIntegerTileRows) {
      multiply_tile<kIntegerTileRows>(p, epilogue, outliers, row, panel);
    }
    if (whole == p.rows) continue;
    with_rows(static_cast<int>(p.rows - whole),
              [&]<int Rows>() { multiply_tile<Rows>(p, epilogue, outliers, whole, panel); });
  }
}

}  // namespace headwise::kernels
