#include "headwise/activations.hpp"

#include <algorithm>

#include "kernels/activation.hpp"
#include "kernels/simd.hpp"

namespace headwise {

namespace {

template <class Function>
void apply(const Function& function, const float* x, float* y, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) simd::store(y + i, function(simd::load(x + i)));
  if (i < count) {  // the rest goes through the same four lanes, so that its bits are the same
    float lanes[4] = {};
    std::copy(x + i, x + count, lanes);
    simd::store(lanes, function(simd::load(lanes)));
    std::copy(lanes, lanes + (count - i), y + i);
  }
}

}  // namespace

void apply_activation(ActivationFunction function, const float* x, float* y, std::int64_t count) {
  kernels::with_activation(function,
                           [&](const auto& activation) { apply(activation, x, y, count); });
}

void apply_softcap(float cap, const float* x, float* y, std::int64_t count) {
  apply(
      [cap](simd::F32x4 value) {
        return simd::splat(cap) * kernels::tanh(value / simd::splat(cap));
      },
      x, y, count);
}

}  // namespace headwise
