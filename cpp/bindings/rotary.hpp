// Rotary positions as layers take them from JavaScript.
#pragma once

#include "headwise/rotary.hpp"
#include "record.hpp"

namespace headwise::bindings {

inline RotaryConfig read_rotary(RecordReader& in) {
  RotaryConfig config;
  if (const auto dim = in.optional_integer()) config.dim = *dim;
  config.base = in.optional_number().value_or(config.base);
  config.scaling = in.optional_number().value_or(config.scaling);
  config.interleaved = in.flag();
  return config;
}

}  // namespace headwise::bindings
