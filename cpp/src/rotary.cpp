#include "headwise/rotary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "power.hpp"
#include "sine_cosine.hpp"
#include "text.hpp"

namespace headwise {

Status validate(const RotaryConfig& config, std::int64_t head_dim) {
  const std::int64_t dim = config.dim == 0 ? head_dim : config.dim;
  if (dim < 2 || dim % 2 != 0 || dim > head_dim) {
    return Status::invalid(
        "rotary.dim", "an even number from 2 to the head's size, " + text(head_dim), text(dim));
  }
  if (!std::isfinite(config.base) || config.base <= 0.0) {
    return Status::invalid("rotary.base", "a finite number above 0", text(config.base));
  }
  if (!std::isfinite(config.scaling) || config.scaling <= 0.0) {
    return Status::invalid("rotary.scaling", "a finite number above 0", text(config.scaling));
  }
  if (config.original_positions < 0) {
    return Status::invalid("rotary.scaling.originalPositions", "1 or more",
                           text(config.original_positions));
  }
  if (config.original_positions == 0) return {};
  const double low = config.low_frequency_factor;
  const double high = config.high_frequency_factor;
  if (std::isfinite(high) && low > 0.0 && high > low) return {};
  return Status::invalid("rotary.scaling.highFrequencyFactor",
                         "a finite number above lowFrequencyFactor = " + text(low), text(high));
}

namespace {

// Radians that a pair turns from one position to the next.
double frequency_of(const RotaryConfig& config, std::int64_t pair) {
  const double plain =
      power(config.base, -2.0 * static_cast<double>(pair) / static_cast<double>(config.dim));
  const double slow = plain / config.scaling;
  if (config.original_positions == 0) return slow;
  const double turns =
      static_cast<double>(config.original_positions) * plain / (2.0 * std::numbers::pi);
  const double share = (turns - config.low_frequency_factor) /
                       (config.high_frequency_factor - config.low_frequency_factor);
  return std::lerp(slow, plain, std::clamp(share, 0.0, 1.0));
}

}  // namespace

Status RotaryTable::create(const RotaryConfig& config, std::int64_t head_dim,
                           const std::int32_t* positions, std::int64_t first_position,
                           std::int64_t count) {
  config_ = config;
  if (config_.dim == 0) config_.dim = head_dim;
  count_ = count;
  const std::int64_t pairs = config_.dim / 2;
  HEADWISE_RETURN_IF_ERROR(cosines_.reserve(count * pairs, "rotary"));
  HEADWISE_RETURN_IF_ERROR(sines_.reserve(count * pairs, "rotary"));
  for (std::int64_t c = 0; c < pairs; ++c) {
    const double frequency = frequency_of(config_, c);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t position = positions == nullptr ? first_position + i : positions[i];
      const double angle = static_cast<double>(position) * frequency;
      const auto [sine, cosine] = sine_cosine(angle);
      cosines_[i * pairs + c] = static_cast<float>(cosine);
      sines_[i * pairs + c] = static_cast<float>(sine);
    }
  }
  return {};
}

void RotaryTable::rotate(const Tensor<float, 4>& x) const {
  const auto [batch, heads, length, head_dim] = x.dims;
  const std::int64_t pairs = config_.dim / 2;
  const std::int64_t step = config_.interleaved ? 2 : 1;       // from pair to pair
  const std::int64_t other = config_.interleaved ? 1 : pairs;  // from a column to its partner
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t row = count_ == length ? i : b * length + i;
      const float* cosine = cosines_.data() + row * pairs;
      const float* sine = sines_.data() + row * pairs;
      for (std::int64_t h = 0; h < heads; ++h) {
        float* values = x.at(b, h, i);
        for (std::int64_t c = 0; c < pairs; ++c) {
          float& first = values[c * step];
          float& second = values[c * step + other];
          const float turned = first * cosine[c] - second * sine[c];
          second = second * cosine[c] + first * sine[c];
          first = turned;
        }
      }
    }
  }
}

}  // namespace headwise
