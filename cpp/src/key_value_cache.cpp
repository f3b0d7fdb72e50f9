#include "headwise/key_value_cache.hpp"

#include <algorithm>

#include "kernels/tile.hpp"
#include "text.hpp"

namespace headwise {
namespace {

constexpr std::int64_t kColumns = kernels::kPanelColumns;

Status too_large(const KeyValueCache::Sizes& sizes) {
  return Status::out_of_memory("capacity", "a cache that fits into memory", text(sizes.capacity));
}

}  // namespace

Status KeyValueCache::validate(const Sizes& sizes) {
  const std::pair<const char*, std::int64_t> all[] = {{"batch", sizes.batch},
                                                      {"kvHeads", sizes.kv_heads},
                                                      {"headDim", sizes.head_dim},
                                                      {"valueHeadDim", sizes.value_head_dim},
                                                      {"capacity", sizes.capacity}};
  for (const auto& [name, size] : all) {
    if (size < 1) return Status::invalid(name, "1 or more", text(size));
  }
  return {};
}

Status KeyValueCache::create(const Sizes& sizes) {
  HEADWISE_RETURN_IF_ERROR(validate(sizes));
  std::int64_t heads = 0;
  std::int64_t key_floats = 0;
  std::int64_t value_floats = 0;
  std::int64_t padded = 0;
  if (__builtin_mul_overflow(sizes.batch, sizes.kv_heads, &heads) ||
      __builtin_add_overflow(sizes.capacity, kColumns, &padded) ||
      __builtin_mul_overflow(padded, sizes.head_dim, &key_floats) ||
      __builtin_mul_overflow(key_floats, heads, &key_floats) ||
      __builtin_mul_overflow(sizes.capacity, sizes.value_head_dim, &value_floats) ||
      __builtin_mul_overflow(value_floats, heads, &value_floats)) {
    return too_large(sizes);
  }
  sizes_ = sizes;
  length_ = 0;
  HEADWISE_RETURN_IF_ERROR(key_panels_.allocate(heads * panel_head_stride(), "capacity"));
  HEADWISE_RETURN_IF_ERROR(values_.allocate(value_floats, "capacity"));
  // Panels are read whole: the lanes of keys to come must be numbers.
  std::fill(key_panels_.data(), key_panels_.data() + key_panels_.size(), 0.0F);
  return {};
}

std::int64_t KeyValueCache::panel_head_stride() const {
  return (sizes_.capacity + kColumns - 1) / kColumns * kColumns * sizes_.head_dim;
}

void KeyValueCache::append(const Tensor<const float, 4>& keys,
                           const Tensor<const float, 4>& values) {
  for (std::int64_t b = 0; b < sizes_.batch; ++b) {
    for (std::int64_t h = 0; h < sizes_.kv_heads; ++h) {
      const std::int64_t head = b * sizes_.kv_heads + h;
      float* panels = key_panels_.data() + head * panel_head_stride();
      float* rows = values_.data() + head * sizes_.capacity * sizes_.value_head_dim;
      for (std::int64_t i = 0; i < keys.dims[2]; ++i) {
        const std::int64_t position = length_ + i;
        float* lane =
            panels + position / kColumns * kColumns * sizes_.head_dim + position % kColumns;
        const float* key = keys.at(b, h, i);
        for (std::int64_t d = 0; d < sizes_.head_dim; ++d) lane[d * kColumns] = key[d];
        std::copy_n(values.at(b, h, i), sizes_.value_head_dim,
                    rows + position * sizes_.value_head_dim);
      }
    }
  }
  length_ += keys.dims[2];
}

Status KeyValueCache::truncate(std::int64_t length) {
  if (length < 0 || length > length_) {
    return Status::invalid("length", "0 to the cache's length, " + text(length_), text(length));
  }
  length_ = length;
  return {};
}

void KeyValueCache::describe(AttentionCall* call) const {
  call->cache_length = length_;
  call->cache_capacity = sizes_.capacity;
  call->cache_batch = sizes_.batch;
  call->cache_kv_heads = sizes_.kv_heads;
  call->cache_head_dim = sizes_.head_dim;
  call->cache_value_head_dim = sizes_.value_head_dim;
}

void KeyValueCache::attach(AttentionProblem* problem) const {
  problem->key = {};
  problem->key_panels = key_panels_.data();
  problem->key_panel_stride_h = panel_head_stride();
  problem->key_panel_stride_b = sizes_.kv_heads * panel_head_stride();
  problem->value = Tensor<const float, 4>::contiguous(
      values_.data(), {sizes_.batch, sizes_.kv_heads, sizes_.capacity, sizes_.value_head_dim});
  problem->value.dims[2] = length_;
}

void KeyValueCache::copy_keys(float* target) const {
  for (std::int64_t head = 0; head < sizes_.batch * sizes_.kv_heads; ++head) {
    const float* panels = key_panels_.data() + head * panel_head_stride();
    for (std::int64_t i = 0; i < length_; ++i) {
      const float* lane = panels + i / kColumns * kColumns * sizes_.head_dim + i % kColumns;
      for (std::int64_t d = 0; d < sizes_.head_dim; ++d) *target++ = lane[d * kColumns];
    }
  }
}

void KeyValueCache::copy_values(float* target) const {
  for (std::int64_t head = 0; head < sizes_.batch * sizes_.kv_heads; ++head) {
    target = std::copy_n(values_.data() + head * sizes_.capacity * sizes_.value_head_dim,
                         length_ * sizes_.value_head_dim, target);
  }
}

}  // namespace headwise
