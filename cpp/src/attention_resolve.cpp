// From a validated call to the strided problem that the kernels compute. No judging here.
#include <algorithm>
#include <cmath>

#include "headwise/attention.hpp"

namespace headwise {
namespace {

AttentionMask resolve_mask(const MaskArgument& mask) {
  AttentionMask resolved;
  resolved.bias = mask.bias;
  resolved.allowed = mask.allowed;
  if (!mask.given()) return resolved;
  resolved.key_length = mask.dims[mask.rank - 1];
  std::int64_t stride = 1;
  for (int i = mask.rank - 1; i >= 0; --i) {
    // The last axis is never broadcast: an axis of one key hides the others.
    const bool broadcast = mask.dims[i] == 1 && i != mask.rank - 1;
    resolved.strides[4 - mask.rank + i] = broadcast ? 0 : stride;
    stride *= mask.dims[i];
  }
  return resolved;
}

}  // namespace

Tensor<const float, 4> heads_view(const TensorArgument& tensor, std::int64_t heads) {
  if (tensor.rank == 4) {
    return Tensor<const float, 4>::contiguous(
        tensor.data, {tensor.dims[0], tensor.dims[1], tensor.dims[2], tensor.dims[3]});
  }
  return split_heads(Tensor<const float, 3>::contiguous(
                         tensor.data, {tensor.dims[0], tensor.dims[1], tensor.dims[2]}),
                     heads);
}

void concatenate_past(const TensorArgument& past, const Tensor<const float, 4>& fresh,
                      float* present) {
  const std::int64_t past_length = past.given() ? past.dims[2] : 0;
  const std::int64_t head_dim = fresh.dims[3];
  for (std::int64_t b = 0; b < fresh.dims[0]; ++b) {
    for (std::int64_t h = 0; h < fresh.dims[1]; ++h) {
      const std::int64_t head = b * fresh.dims[1] + h;
      if (past_length > 0) {
        present =
            std::copy_n(past.data + head * past_length * head_dim, past_length * head_dim, present);
      }
      for (std::int64_t i = 0; i < fresh.dims[2]; ++i) {
        present = std::copy_n(fresh.at(b, h, i), head_dim, present);
      }
    }
  }
}

AttentionProblem resolve(const AttentionCall& call, const AttentionShape& shape,
                         const float* present_key, const float* present_value) {
  AttentionProblem problem;
  problem.query = heads_view(call.query, shape.query_heads);
  problem.key = heads_view(call.key, shape.kv_heads);
  problem.value = heads_view(call.value, shape.kv_heads);
  if (present_key != nullptr) {
    problem.key = Tensor<const float, 4>::contiguous(
        present_key, {shape.batch, shape.kv_heads, shape.kv_length, shape.head_dim});
    problem.value = Tensor<const float, 4>::contiguous(
        present_value, {shape.batch, shape.kv_heads, shape.kv_length, shape.value_head_dim});
  }
  problem.scale =
      static_cast<float>(call.scale.value_or(1.0 / std::sqrt(static_cast<double>(shape.head_dim))));
  problem.softcap = static_cast<float>(call.softcap);
  problem.mask = resolve_mask(call.mask);
  problem.key_mask = call.key_mask;
  problem.causal = call.causal;
  problem.window_left = call.window_left;
  problem.window_right = call.window_right;
  problem.kv_lengths = call.kv_lengths;
  problem.head_mask = call.head_mask;
  const bool has_past = call.past_key.given() || call.cache_length.has_value();
  if (call.causal_offset.has_value()) {
    problem.offset = *call.causal_offset;
  } else if (has_past) {
    problem.offset = shape.past_length;
  } else {
    problem.offset_from_lengths = call.kv_lengths != nullptr;
  }
  return problem;
}

}  // namespace headwise
