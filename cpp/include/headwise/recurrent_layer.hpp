// A recurrent layer, what attention is measured against: h_t = tanh(W x_t + U h_{t-1} + b) from
// h = 0, the meaning of torch.nn.RNN with one layer and one direction. W x is one product for all
// positions; U h cannot be: each position waits for the one before it. No gates, no gradients.
#pragma once

#include <cstdint>

#include "headwise/attention.hpp"
#include "headwise/linear.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

struct RecurrentWeights {
  TensorArgument input;   // W [H, in]
  TensorArgument hidden;  // U [H, H]
  TensorArgument bias;    // b [H], or not given
};

class RecurrentLayer {
 public:
  // Judges the weights, then takes and packs them.
  Status create(const RecurrentWeights& weights);

  // x [B, S, in].
  Status validate(const TensorArgument& x) const;

  // One pass over a valid x [B, S, in] into y [B, S, H], both contiguous. `begin` multiplies all
  // positions with W; then every position has to be stepped through once, in its order.
  Status begin(const TensorArgument& x, float* y) const;
  Status step(const TensorArgument& x, float* y, std::int64_t position) const;

  std::int64_t in() const { return input_.in(); }
  std::int64_t width() const { return hidden_.out(); }

 private:
  Linear input_, hidden_;
};

}  // namespace headwise
