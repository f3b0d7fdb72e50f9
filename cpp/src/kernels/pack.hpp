// Packing: rows of keys into panels [d][8], rows of values into panels [key][8], so that the
// register tile reads both in one forward stream. Lanes beyond the last row or column are zeros.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/simd.hpp"
#include "kernels/tile.hpp"

namespace headwise::kernels {

// rows [count <= Lanes, depth] -> panel [depth][Lanes]
template <int Lanes = kPanelColumns>
inline void pack_transposed_panel(const float* rows, std::int64_t row_stride, std::int64_t count,
                                  std::int64_t depth, float* panel) {
  if (count < Lanes) std::fill_n(panel, Lanes * depth, 0.0F);
  std::int64_t row = 0;
  for (; row + 4 <= count; row += 4) {
    const float* source = rows + row * row_stride;
    std::int64_t k = 0;
    for (; k + 4 <= depth; k += 4) {
      simd::F32x4 block[4];
      HEADWISE_UNROLL
      for (int r = 0; r < 4; ++r) block[r] = simd::load(source + r * row_stride + k);
      simd::transpose(block);
      HEADWISE_UNROLL
      for (int c = 0; c < 4; ++c) simd::store(panel + (k + c) * Lanes + row, block[c]);
    }
    for (; k < depth; ++k) {
      for (int r = 0; r < 4; ++r) panel[k * Lanes + row + r] = source[r * row_stride + k];
    }
  }
  for (; row < count; ++row) {
    const float* source = rows + row * row_stride;
    for (std::int64_t k = 0; k < depth; ++k) panel[k * Lanes + row] = source[k];
  }
}

// rows [count, width] -> panels [ceil(width / 8)][capacity][8]. Returns whether all are finite.
inline bool pack_row_panels(const float* rows, std::int64_t row_stride, std::int64_t count,
                            std::int64_t width, std::int64_t capacity, float* panels) {
  // x * 0 is 0 for a finite x and NaN otherwise: one multiply-add a vector finds any offender.
  simd::F32x4 probe = simd::splat(0.0F);
  for (std::int64_t column = 0; column < width; column += kPanelColumns) {
    float* panel = panels + column * capacity;
    const std::int64_t columns = std::min<std::int64_t>(kPanelColumns, width - column);
    for (std::int64_t row = 0; row < count; ++row) {
      const float* source = rows + row * row_stride + column;
      float* target = panel + row * kPanelColumns;
      if (columns < kPanelColumns) {
        std::fill(target + columns, target + kPanelColumns, 0.0F);
        std::copy(source, source + columns, target);
      } else {
        simd::store(target, simd::load(source));
        simd::store(target + 4, simd::load(source + 4));
      }
      const simd::F32x4 zero = simd::splat(0.0F);
      probe = simd::multiply_add(simd::load(target), zero, probe);
      probe = simd::multiply_add(simd::load(target + 4), zero, probe);
    }
  }
  return simd::horizontal_sum(probe) == 0.0F;
}

inline bool rows_are_finite(const float* rows, std::int64_t row_stride, std::int64_t count,
                            std::int64_t width) {
  float probe = 0.0F;
  for (std::int64_t row = 0; row < count; ++row) {
    for (std::int64_t c = 0; c < width; ++c) probe += rows[row * row_stride + c] * 0.0F;
  }
  return probe == 0.0F;
}

}  // namespace headwise::kernels
