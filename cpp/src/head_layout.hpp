// Between the two orders of heads and positions.
#pragma once

#include <algorithm>
#include <cstdint>

#include "headwise/tensor.hpp"

namespace headwise {

// x [B, H, S, D] into contiguous [B, S, H, D].
inline void copy_by_position(const Tensor<float, 4>& x, float* target) {
  for (std::int64_t b = 0; b < x.dims[0]; ++b) {
    for (std::int64_t i = 0; i < x.dims[2]; ++i) {
      for (std::int64_t h = 0; h < x.dims[1]; ++h) {
        target = std::copy_n(x.at(b, h, i), x.dims[3], target);
      }
    }
  }
}

}  // namespace headwise
