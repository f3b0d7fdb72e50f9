// Rotary positions as layers take them from JavaScript.
#pragma once

#include "headwise/rotary.hpp"
#include "values.hpp"

namespace headwise::bindings {

struct RotaryValue {
  std::optional<Number> dim, base, scaling;
  bool interleaved = false;
};

inline RotaryConfig rotary_config(const RotaryValue& value) {
  RotaryConfig config;
  if (value.dim.has_value()) config.dim = static_cast<std::int64_t>(*value.dim);
  config.base = value.base.value_or(config.base);
  config.scaling = value.scaling.value_or(config.scaling);
  config.interleaved = value.interleaved;
  return config;
}

}  // namespace headwise::bindings
