// The key/value cache as a handle; calls of the op and the layer take it by pointer.
#include "headwise/key_value_cache.hpp"

#include <emscripten/bind.h>

#include "values.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

struct SizesValue {
  Number batch, kv_heads, head_dim, value_head_dim, capacity;
};

StatusValue create(KeyValueCache& cache, const SizesValue& value) {
  return to_value(cache.create({.batch = static_cast<std::int64_t>(value.batch),
                                .kv_heads = static_cast<std::int64_t>(value.kv_heads),
                                .head_dim = static_cast<std::int64_t>(value.head_dim),
                                .value_head_dim = static_cast<std::int64_t>(value.value_head_dim),
                                .capacity = static_cast<std::int64_t>(value.capacity)}));
}

StatusValue truncate(KeyValueCache& cache, Number length) {
  return to_value(cache.truncate(static_cast<std::int64_t>(length)));
}

Number length(const KeyValueCache& cache) { return static_cast<Number>(cache.length()); }

// [B, Hkv, length, D] and [B, Hkv, length, Dv], to memory that the caller has taken.
void copy_keys(const KeyValueCache& cache, Number address) {
  cache.copy_keys(pointer_to<float>(address));
}
void copy_values(const KeyValueCache& cache, Number address) {
  cache.copy_values(pointer_to<float>(address));
}

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_key_value_cache) {
  using namespace headwise::bindings;
  value_object<SizesValue>("KeyValueCacheSizes")
      .field("batch", &SizesValue::batch)
      .field("kvHeads", &SizesValue::kv_heads)
      .field("headDim", &SizesValue::head_dim)
      .field("valueHeadDim", &SizesValue::value_head_dim)
      .field("capacity", &SizesValue::capacity);
  class_<headwise::KeyValueCache>("KeyValueCache")
      .constructor<>()
      .function("create", &create)
      .function("truncate", &truncate)
      .function("length", &length)
      .function("copyKeys", &copy_keys)
      .function("copyValues", &copy_values);
}
