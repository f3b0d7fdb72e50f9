// What decides which keys a query sees and which results are wanted, as the op and the layers take
// it from JavaScript.
#pragma once

#include "headwise/attention.hpp"
#include "record.hpp"

namespace headwise::bindings {

struct WantedResults {
  ScoresPoint scores_point = ScoresPoint::kNone;
  bool weights = false;
};

inline MaskArgument read_mask(RecordReader& in) {
  MaskArgument mask;
  const bool is_boolean = in.flag();
  const TensorValue value = in.tensor();
  mask.rank = value.rank;
  mask.dims = value.dims;
  if (is_boolean) {
    mask.allowed = value.data<const std::uint8_t>();
  } else {
    mask.bias = value.data<const float>();
  }
  return mask;
}

inline WantedResults read_visibility(RecordReader& in, AttentionCall* call) {
  call->mask = read_mask(in);
  const TensorValue key_mask = in.tensor();
  call->key_mask = key_mask.data<const std::uint8_t>();
  call->key_mask_rank = key_mask.rank;
  call->key_mask_dims = key_mask.dims;
  call->causal = in.flag();
  call->causal_offset = in.optional_integer();
  call->window_left = in.integer();
  call->window_right = in.integer();
  call->softcap = in.number();
  const TensorValue head_mask = in.tensor();  // rank 1
  if (head_mask.given()) {
    call->head_mask = head_mask.data<const float>();
    call->head_mask_size = head_mask.dims[0];
  }
  WantedResults wanted;
  wanted.scores_point = static_cast<ScoresPoint>(in.integer());  // its enumerators in order
  wanted.weights = in.flag();
  return wanted;
}

}  // namespace headwise::bindings
