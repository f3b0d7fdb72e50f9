// The register tile of int8 weights: rows of 16-bit activations times panels of 8 columns, summed
// in 32-bit integers. Packing of such panels, and rounding of activations to integers.
//
// A panel holds the inputs in pairs, [pair][8 columns][2], since one instruction multiplies eight
// pairs of 16-bit numbers and adds each two. An odd last input is paired with a zero.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/simd.hpp"
#include "kernels/tile.hpp"

namespace headwise::kernels {

constexpr std::int64_t input_pairs(std::int64_t in) { return (in + 1) / 2; }

// The largest activation: 13 bits, fewer where in * 127 * 2^bits would not fit 31.
constexpr std::int32_t activation_limit(std::int64_t in) {
  int bits = 13;
  while (bits > 1 && in * 127 * (std::int64_t{1} << bits) >= (std::int64_t{1} << 31)) --bits;
  return (1 << bits) - 1;
}

template <int Rows>
struct IntegerTile {
  simd::I32x4 acc[Rows][2];

  void clear() {
    for (auto& row : acc) row[0] = row[1] = simd::I32x4(0);
  }

  // a [Rows, 2 * pairs], rows a_stride apart; panel [pairs][8][2]. Four pairs a turn with a pointer
  // per row, inlined always, for the reasons of Tile::multiply.
  [[gnu::always_inline]] void multiply(const std::int16_t* a, std::int64_t a_stride,
                                       const std::int8_t* panel, std::int64_t pairs) {
    const std::int16_t* rows[Rows];
    for (int r = 0; r < Rows; ++r) rows[r] = a + r * a_stride;
    auto left = static_cast<std::ptrdiff_t>(pairs);
    for (; left >= 4; left -= 4, panel += 8 * kPanelColumns) {
      for (int k = 0; k < 4; ++k) step(rows, k, panel);
      for (int r = 0; r < Rows; ++r) rows[r] += 8;
    }
    for (int k = 0; k < left; ++k) step(rows, k, panel);
  }

 private:
  [[gnu::always_inline]] void step(const std::int16_t* const (&rows)[Rows], int k,
                                   const std::int8_t* panel) {
    const simd::I16x8 left = simd::load_widened(panel + 2 * k * kPanelColumns);
    const simd::I16x8 right = simd::load_widened(panel + (2 * k + 1) * kPanelColumns);
    for (int r = 0; r < Rows; ++r) {
      const simd::I16x8 value = simd::splat_pair(rows[r] + 2 * k);
      acc[r][0] += simd::dot_pairs(value, left);
      acc[r][1] += simd::dot_pairs(value, right);
    }
  }
};

// Places a weight row of `in` bytes in its column of a panel.
inline void pack_integer_row(const std::int8_t* row, std::int64_t in, int column,
                             std::int8_t* panel) {
  for (std::int64_t k = 0; k < in; ++k) {
    panel[(k / 2) * 2 * kPanelColumns + 2 * column + k % 2] = row[k];
  }
}

// The row of bytes that stands in a column of a panel.
inline void unpack_integer_row(const std::int8_t* panel, int column, std::int64_t in,
                               std::int8_t* row) {
  for (std::int64_t k = 0; k < in; ++k) {
    row[k] = panel[(k / 2) * 2 * kPanelColumns + 2 * column + k % 2];
  }
}

// integers[k] = round(x[k] * limit / max |x|) for k in [first, last), zeros up to the pairs' ends;
// the return value is what one unit is worth. The rounding is the same on every build: a plain
// product and the nearest even integer. NaN or infinity anywhere in x makes the unit NaN.
inline float round_to_integers(const float* x, std::int64_t count, std::int64_t first,
                               std::int64_t last, std::int32_t limit, std::int16_t* integers) {
  float largest = 0.0F;
  float probe = 0.0F;  // x * 0 is NaN for an offender
  std::int64_t k = 0;
  simd::F32x4 largest4 = simd::splat(0.0F);
  simd::F32x4 probe4 = simd::splat(0.0F);
  for (; k + 4 <= count; k += 4) {
    const simd::F32x4 value = simd::load(x + k);
    largest4 = simd::pseudo_max(largest4, xsimd::abs(value));
    probe4 += value * simd::splat(0.0F);
  }
  largest = simd::horizontal_max(largest4);
  probe = simd::horizontal_sum(probe4);
  for (; k < count; ++k) {
    largest = std::max(largest, std::fabs(x[k]));
    probe += x[k] * 0.0F;
  }
  const std::int64_t begin = first / 2 * 2;
  const std::int64_t end = 2 * input_pairs(last);
  if (!(probe == 0.0F) || largest == 0.0F) {
    std::fill(integers + begin, integers + end, std::int16_t{0});
    return probe == 0.0F ? 0.0F : std::numeric_limits<float>::quiet_NaN();
  }
  // A row of nothing but numbers below 1e-34 would make the factor infinite.
  const float factor = std::min(static_cast<float>(limit) / largest, 1e37F);
  integers[begin] = 0;
  integers[end - 1] = 0;
  constexpr float kMagic = 12582912.0F;  // 1.5 * 2^23: the sum's last bit is worth 1
  for (k = first; k < last; ++k) {
    integers[k] = static_cast<std::int16_t>((x[k] * factor + kMagic) - kMagic);
  }
  return 1.0F / factor;
}

}  // namespace headwise::kernels
