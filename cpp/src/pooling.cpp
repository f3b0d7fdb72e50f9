#include "headwise/pooling.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headwise {

void mean_pool(const Tensor<const float, 3>& hidden, const std::uint8_t* key_mask, bool normalize,
               float* pooled) {
  const auto [batch, length, width] = hidden.dims;
  std::vector<double> sum(static_cast<std::size_t>(width));
  for (std::int64_t b = 0; b < batch; ++b, pooled += width) {
    std::fill(sum.begin(), sum.end(), 0.0);
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      if (key_mask != nullptr && key_mask[b * length + i] == 0) continue;
      ++count;
      const float* row = hidden.at(b, i);
      for (std::int64_t c = 0; c < width; ++c) sum[static_cast<std::size_t>(c)] += row[c];
    }
    double divisor = static_cast<double>(std::max<std::int64_t>(count, 1));
    if (normalize) {  // the length of the sum and of the mean differ by a factor that cancels
      double square = 0.0;
      for (const double value : sum) square += value * value;
      divisor = square == 0.0 ? 1.0 : std::sqrt(square);
    }
    for (std::int64_t c = 0; c < width; ++c) {
      pooled[c] = static_cast<float>(sum[static_cast<std::size_t>(c)] / divisor);
    }
  }
}

}  // namespace headwise
