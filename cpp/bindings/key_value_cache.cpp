// The key/value cache as a handle; calls of the op and the layer take it by pointer.
#include "headwise/key_value_cache.hpp"

#include <emscripten/bind.h>

#include "record.hpp"
#include "status.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

bool create(KeyValueCache& cache) {
  RecordReader in;
  KeyValueCache::Sizes sizes;
  sizes.batch = in.integer();
  sizes.kv_heads = in.integer();
  sizes.head_dim = in.integer();
  sizes.value_head_dim = in.integer();
  sizes.capacity = in.integer();
  return succeeded(cache.create(sizes));
}

bool truncate(KeyValueCache& cache, Number length) {
  return succeeded(cache.truncate(static_cast<std::int64_t>(length)));
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
  class_<headwise::KeyValueCache>("KeyValueCache")
      .constructor<>()
      .function("create", &create)
      .function("truncate", &truncate)
      .function("length", &length)
      .function("copyKeys", &copy_keys)
      .function("copyValues", &copy_values);
}
