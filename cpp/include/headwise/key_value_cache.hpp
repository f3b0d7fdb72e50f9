// Keys and values of the past, kept in the layout that the kernels read: decoding appends a row and
// packs nothing again. Fixed capacity, one length for the whole batch.
#pragma once

#include <cstdint>

#include "headwise/attention.hpp"
#include "headwise/memory.hpp"

namespace headwise {

class KeyValueCache {
 public:
  struct Sizes {
    std::int64_t batch = 1, kv_heads = 1, head_dim = 1, value_head_dim = 1, capacity = 1;
  };

  static Status validate(const Sizes& sizes);
  Status create(const Sizes& sizes);

  const Sizes& sizes() const { return sizes_; }
  std::int64_t length() const { return length_; }

  // Appends [B, Hkv, new, D] and [B, Hkv, new, Dv]; the caller has checked that they fit.
  void append(const Tensor<const float, 4>& keys, const Tensor<const float, 4>& values);
  // Forgets all but the first `length` positions.
  Status truncate(std::int64_t length);

  // Fills in what `validate` compares a call with.
  void describe(AttentionCall* call) const;
  // Points the problem at the cached keys and values (all `length()` of them).
  void attach(AttentionProblem* problem) const;

  // Copies out as [B, Hkv, length, D] and [B, Hkv, length, Dv].
  void copy_keys(float* target) const;
  void copy_values(float* target) const;

 private:
  std::int64_t panel_head_stride() const;  // floats of one head's key panels

  Sizes sizes_;
  std::int64_t length_ = 0;
  Buffer<float> key_panels_;  // [B, Hkv, ceil(capacity / 8), D, 8]
  Buffer<float> values_;      // [B, Hkv, capacity, Dv]
};

}  // namespace headwise
