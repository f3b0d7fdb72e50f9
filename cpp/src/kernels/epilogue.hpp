// What happens to the finished sums of a matrix product before they are stored.
#pragma once

#include <algorithm>
#include <cstdint>

#include "headwise/activations.hpp"
#include "kernels/activation.hpp"
#include "kernels/simd.hpp"
#include "kernels/tile.hpp"

namespace headwise::kernels {

struct Epilogue {
  const float* bias = nullptr;  // of y's first column on, readable to a whole panel; or null
  bool accumulate = false;
  ActivationFunction activation = ActivationFunction::kIdentity;
};

// Columns [column, column + 8) of one row of y.
template <class Activation>
inline void finish_panel(const Epilogue& epilogue, const Activation& activation, const float* sums,
                         std::int64_t column, float* y) {
  HEADWISE_UNROLL
  for (int half = 0; half < kPanelColumns; half += 4) {
    simd::F32x4 value = simd::load(sums + half);
    float* target = y + column + half;
    if (epilogue.bias != nullptr) value += simd::load(epilogue.bias + column + half);
    if (epilogue.accumulate) value = simd::load(target) + value;
    simd::store(target, activation(value));
  }
}

// Sums [rows, stride] to a whole panel of `rows` rows of y. One function for tiles of all shapes:
// inlined into each, the activations would be most of the code.
[[gnu::noinline]] inline void finish_whole_rows(const Epilogue& epilogue, const float* sums,
                                                std::int64_t stride, int rows, std::int64_t column,
                                                float* y, std::int64_t y_stride) {
  with_activation(epilogue.activation, [&](const auto& activation) {
    for (int r = 0; r < rows; ++r, sums += stride, y += y_stride) {
      finish_panel(epilogue, activation, sums, column, y);
    }
  });
}

// The same where y may end within the panel: its rows are then finished in a panel of their own.
[[gnu::noinline]] inline void finish_rows(const Epilogue& epilogue, const float* sums,
                                          std::int64_t stride, int rows, std::int64_t column,
                                          std::int64_t columns, float* y, std::int64_t y_stride) {
  const std::int64_t count = columns - column;
  if (count >= kPanelColumns) {
    return finish_whole_rows(epilogue, sums, stride, rows, column, y, y_stride);
  }
  Epilogue local = epilogue;
  if (local.bias != nullptr) local.bias += column;
  for (int r = 0; r < rows; ++r, sums += stride, y += y_stride) {
    float panel[kPanelColumns] = {};
    if (epilogue.accumulate) std::copy_n(y + column, count, panel);
    finish_whole_rows(local, sums, stride, 1, 0, panel, kPanelColumns);
    std::copy_n(panel, count, y + column);
  }
}

}  // namespace headwise::kernels
