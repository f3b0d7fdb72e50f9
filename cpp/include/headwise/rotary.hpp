// Rotary position embedding (Su et al. 2021): pairs of columns of a query or key turn by an angle
// that grows with the position.
//   halves       column c turns with column c + dim / 2 (GPT-NeoX, Llama as Hugging Face stores it)
//   interleaved  column 2c turns with column 2c + 1 (the paper, GPT-J)
// Pair c turns by position / base^(2c / dim). Columns at or beyond `dim` stay as they are.
#pragma once

#include <cstdint>

#include "headwise/memory.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

struct RotaryConfig {
  std::int64_t dim = 0;  // columns that turn, even, at most the head's; 0 = the whole head
  double base = 10000.0;
  bool interleaved = false;
  double scaling = 1.0;  // positions are divided by it (linear interpolation)
  // With original_positions > 0 only slow pairs are divided (Llama 3.1): those that turn less than
  // low_frequency_factor times in so many positions wholly, those that turn more than
  // high_frequency_factor times not at all, and those between in proportion.
  std::int64_t original_positions = 0;
  double low_frequency_factor = 1.0, high_frequency_factor = 4.0;
};

// Angles computed once, in double precision, for one set of positions.
class RotaryTable {
 public:
  // positions [count], or null for first_position, first_position + 1, ...
  Status create(const RotaryConfig& config, std::int64_t head_dim, const std::int32_t* positions,
                std::int64_t first_position, std::int64_t count);
  // Turns x [B, H, S, D] in place, row (b, h, s) by angle row s, or b * S + s when the table holds
  // B * S positions. Innermost stride 1.
  void rotate(const Tensor<float, 4>& x) const;

 private:
  RotaryConfig config_;
  std::int64_t count_ = 0;
  Buffer<float> cosines_, sines_;  // [count, dim / 2]
};

// "rotary.dim", "rotary.base", "rotary.scaling", "rotary.scaling.highFrequencyFactor", ....
Status validate(const RotaryConfig& config, std::int64_t head_dim);

}  // namespace headwise
