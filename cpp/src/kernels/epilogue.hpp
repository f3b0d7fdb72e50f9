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
inline void finish_panel(const Epilogue& epilogue, simd::F32x4 low, simd::F32x4 high,
                         std::int64_t column, float* y) {
  if (epilogue.bias != nullptr) {
    low += simd::load(epilogue.bias + column);
    high += simd::load(epilogue.bias + column + 4);
  }
  float* target = y + column;
  if (epilogue.accumulate) {
    low = simd::load(target) + low;
    high = simd::load(target + 4) + high;
  }
  simd::store(target, activate(epilogue.activation, low));
  simd::store(target + 4, activate(epilogue.activation, high));
}

// The same where y ends within the panel.
inline void finish_partial_panel(const Epilogue& epilogue, simd::F32x4 low, simd::F32x4 high,
                                 std::int64_t column, std::int64_t count, float* y) {
  float lanes[kPanelColumns] = {};
  if (epilogue.accumulate) std::copy(y + column, y + column + count, lanes);
  Epilogue local = epilogue;
  if (local.bias != nullptr) local.bias += column;
  finish_panel(local, low, high, 0, lanes);
  std::copy(lanes, lanes + count, y + column);
}

inline void finish(const Epilogue& epilogue, simd::F32x4 low, simd::F32x4 high, std::int64_t column,
                   std::int64_t columns, float* y) {
  if (column + kPanelColumns <= columns) {
    finish_panel(epilogue, low, high, column, y);
  } else {
    finish_partial_panel(epilogue, low, high, column, columns - column, y);
  }
}

}  // namespace headwise::kernels
