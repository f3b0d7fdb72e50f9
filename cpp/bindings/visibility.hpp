// What decides which keys a query sees, as the op and the layers take it from JavaScript.
#pragma once

#include "headwise/attention.hpp"
#include "values.hpp"

namespace headwise::bindings {

struct VisibilityValue {
  TensorValue mask;
  bool mask_is_boolean = false;
  TensorValue key_mask;
  bool causal = false;
  std::optional<Number> causal_offset;
  Number window_left = -1, window_right = -1;
  Number softcap = 0;
  TensorValue head_mask;  // rank 1
  int scores_point = 0;   // the enumerators of ScoresPoint in order
  bool return_weights = false;
};

inline ScoresPoint scores_point(const VisibilityValue& value) {
  return static_cast<ScoresPoint>(value.scores_point);
}

inline MaskArgument mask_argument(const VisibilityValue& value) {
  MaskArgument mask;
  mask.rank = value.mask.rank;
  mask.dims = dims_of(value.mask);
  if (value.mask_is_boolean) {
    mask.allowed = pointer_to<const std::uint8_t>(value.mask.address);
  } else {
    mask.bias = pointer_to<const float>(value.mask.address);
  }
  return mask;
}

inline void set_visibility(const VisibilityValue& value, AttentionCall* call) {
  call->softcap = value.softcap;
  call->mask = mask_argument(value);
  call->key_mask = pointer_to<const std::uint8_t>(value.key_mask.address);
  call->key_mask_rank = value.key_mask.rank;
  call->key_mask_dims = dims_of(value.key_mask);
  call->causal = value.causal;
  call->causal_offset = integer(value.causal_offset);
  call->window_left = static_cast<std::int64_t>(value.window_left);
  call->window_right = static_cast<std::int64_t>(value.window_right);
  if (value.head_mask.rank != 0) {
    call->head_mask = pointer_to<const float>(value.head_mask.address);
    call->head_mask_size = static_cast<std::int64_t>(value.head_mask.dims[0]);
  }
}

}  // namespace headwise::bindings
