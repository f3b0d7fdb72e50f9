// Changes made to what heads compute, where `blocks.{i}.attn.hook_z` stands: after weights V and
// before W_O, so that everything behind it follows. Head masks are a factor of the op and not here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "headwise/memory.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

enum class InterventionKind {
  kZero,     // z = 0
  kValues,   // z = the given tensor: [S, D] or [B, S, D] for one head, [S, H, D] or [B, S, H, D]
             // for all
  kMean,     // z = the given vector at every position: [D] for one head, [H, D] for all
  kNoise,    // z += Gaussian noise of standard deviation `deviation`
  kShuffle,  // the real positions of each sequence change places, one permutation a sequence
};

struct Intervention {
  std::string name;                  // "blocks.3.attn.hook_z"; * stands for any run of characters
  std::optional<std::int64_t> head;  // all heads when not given
  InterventionKind kind = InterventionKind::kZero;
  const float* values = nullptr;  // kValues, kMean; copied when a run begins
  int rank = 0;
  std::array<std::int64_t, 8> dims{};
  double deviation = 0.0;  // kNoise: finite, >= 0
  std::uint64_t seed = 0;  // kNoise, kShuffle: the same seed gives the same change
};

// Judges an intervention on z of B sequences of S positions, H heads of D numbers; what it calls
// the argument is "interventions".
Status validate(const Intervention& intervention, std::int64_t batch, std::int64_t length,
                std::int64_t heads, std::int64_t head_dim);

// Changes z [B, H, S, D] in place. key_mask [B, S] (nonzero = a real token) or null. Precondition:
// validated for these sizes.
void apply(const Intervention& intervention, const Tensor<float, 4>& z,
           const std::uint8_t* key_mask);

}  // namespace headwise
