// The loss that language models and translators are trained with: cross-entropy of the token that
// comes next.
//
//   loss = sum over a sequence's judged positions of -log softmax(logits)[label]
#pragma once

#include <cstdint>
#include <span>

#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise::analysis {

// logits [B, S, V], contiguous; labels [B, S], the token that each position should predict, -1
// where it is not judged. losses [B]: sums in nats; right [B]: at how many judged positions the
// label has the largest logit (the first of equal ones), those of the ids `never` left out, which
// decoding never chooses. "labels".
Status token_loss(const Tensor<const float, 3>& logits, const std::int32_t* labels,
                  std::span<const std::int32_t> never, float* losses, float* right);

}  // namespace headwise::analysis
