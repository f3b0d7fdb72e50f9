// The register tiles of int8 weights: rows of integer activations times panels of 8 columns, summed
// in 32-bit integers. Two kernels with the same sums, bit for bit:
//
//   pairs  16-bit activations; one instruction multiplies eight pairs and adds each two
//   quads  activations of 14 bits in two parts of seven, a dot of bytes for each part; twice as
//          fast where the processor has an instruction for that dot, else slower
//
// A panel holds the inputs in groups, [pair][8 columns][2] or [quad][8 columns][4], padded with
// zeros to whole quads. A row of activations takes 8 bytes a quad in both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/integer_kernel.hpp"
#include "kernels/simd.hpp"
#include "kernels/tile.hpp"

namespace headwise::kernels {

inline constexpr int kQuad = 4;

constexpr std::int64_t input_quads(std::int64_t in) { return (in + kQuad - 1) / kQuad; }

// What is added to an activation of the quads so that its parts are not negative.
inline constexpr std::int32_t kQuadOffset = 1 << 13;

// Rows of the largest tiles. Pairs: 8 sums, 2 weight vectors, an activation and the product. Quads:
// 12 sums, 2 weight vectors, an activation.
inline constexpr int kPairRows = 4;
inline constexpr int kQuadRows = 3;
inline constexpr int kMostIntegerRows = 4;

// sums [Rows, 8] of a [Rows, 4 * quads], rows a_stride apart, times a panel. A pointer per row,
// inlined always, for the reasons of Tile::multiply.
template <int Rows>
struct PairTile {
  [[gnu::always_inline]] static void multiply(const std::int16_t* a, std::int64_t a_stride,
                                              const std::int8_t* panel, std::int64_t quads,
                                              std::int32_t* sums) {
    simd::I32x4 acc[Rows][2];
    const std::int16_t* rows[Rows];
    HEADWISE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      acc[r][0] = acc[r][1] = simd::I32x4(0);
      rows[r] = a + r * a_stride;
    }
    for (auto left = static_cast<std::ptrdiff_t>(quads); left > 0; --left) {
      HEADWISE_UNROLL
      for (int k = 0; k < 2; ++k, panel += 2 * kPanelColumns) {
        const simd::I16x8 low = simd::load_widened(panel);
        const simd::I16x8 high = simd::load_widened(panel + kPanelColumns);
        HEADWISE_UNROLL
        for (int r = 0; r < Rows; ++r) {
          const simd::I16x8 value = simd::splat_pair(rows[r] + 2 * k);
          acc[r][0] += simd::dot_pairs(value, low);
          acc[r][1] += simd::dot_pairs(value, high);
        }
      }
      HEADWISE_UNROLL
      for (int r = 0; r < Rows; ++r) rows[r] += kQuad;
    }
    HEADWISE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      simd::store(sums + r * kPanelColumns, acc[r][0]);
      simd::store(sums + r * kPanelColumns + 4, acc[r][1]);
    }
  }
};

template <int Rows>
struct QuadTile {
  [[gnu::always_inline]] static void multiply(const std::int16_t* a, std::int64_t a_stride,
                                              const std::int8_t* panel, std::int64_t quads,
                                              std::int32_t* sums) {
    simd::I32x4 high[Rows][2];
    simd::I32x4 low[Rows][2];
    const std::int8_t* rows[Rows];
    HEADWISE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      high[r][0] = high[r][1] = low[r][0] = low[r][1] = simd::I32x4(0);
      rows[r] = reinterpret_cast<const std::int8_t*>(a + r * a_stride);
    }
    const auto steps = static_cast<std::ptrdiff_t>(quads);
    for (std::ptrdiff_t k = 0; k < steps; ++k, panel += kQuad * kPanelColumns) {
      const simd::I8x16 left = simd::load(panel);
      const simd::I8x16 right = simd::load(panel + 16);
      HEADWISE_UNROLL
      for (int r = 0; r < Rows; ++r) {
        const simd::I8x16 part = simd::splat_quad(rows[r] + 8 * k);
        high[r][0] = simd::dot_quads(left, part, high[r][0]);
        high[r][1] = simd::dot_quads(right, part, high[r][1]);
        const simd::I8x16 rest = simd::splat_quad(rows[r] + 8 * k + 4);
        low[r][0] = simd::dot_quads(left, rest, low[r][0]);
        low[r][1] = simd::dot_quads(right, rest, low[r][1]);
      }
    }
    HEADWISE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      simd::store(sums + r * kPanelColumns, (high[r][0] << 7) + low[r][0]);
      simd::store(sums + r * kPanelColumns + 4, (high[r][1] << 7) + low[r][1]);
    }
  }
};

// Where input k of a column stands in a panel.
inline std::int64_t place_in_panel(IntegerKernel kernel, std::int64_t k, int column) {
  const std::int64_t group = kernel == IntegerKernel::kQuads ? kQuad : 2;
  return k / group * group * kPanelColumns + group * column + k % group;
}

// Places a weight row of `in` bytes in its column of a panel.
inline void pack_integer_row(IntegerKernel kernel, const std::int8_t* row, std::int64_t in,
                             int column, std::int8_t* panel) {
  for (std::int64_t k = 0; k < in; ++k) panel[place_in_panel(kernel, k, column)] = row[k];
}

// The row of bytes that stands in a column of a panel.
inline void unpack_integer_row(IntegerKernel kernel, const std::int8_t* panel, int column,
                               std::int64_t in, std::int8_t* row) {
  for (std::int64_t k = 0; k < in; ++k) row[k] = panel[place_in_panel(kernel, k, column)];
}

// What the kernel's sums are for a row of zeros, modulo 2^32 as they are.
inline std::int32_t sum_of_zeros(IntegerKernel kernel, std::int32_t sum_of_weights) {
  if (kernel == IntegerKernel::kPairs) return 0;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum_of_weights) *
                                   static_cast<std::uint32_t>(kQuadOffset));
}

}  // namespace headwise::kernels
