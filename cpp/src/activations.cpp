#include "headwise/activations.hpp"

#include <algorithm>

#include "kernels/activation.hpp"
#include "kernels/simd.hpp"

namespace headwise {

void apply_activation(ActivationFunction function, const float* x, float* y, std::int64_t count) {
  kernels::with_activation(function, [&](const auto& activation) {
    std::int64_t i = 0;
    for (; i + 4 <= count; i += 4) simd::store(y + i, activation(simd::load(x + i)));
    if (i < count) {  // the rest goes through the same four lanes, so that its bits are the same
      float lanes[4] = {};
      std::copy(x + i, x + count, lanes);
      simd::store(lanes, activation(simd::load(lanes)));
      std::copy(lanes, lanes + (count - i), y + i);
    }
  });
}

}  // namespace headwise
