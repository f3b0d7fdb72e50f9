// Memory for JavaScript's tensors, from the same counted allocator as everything else.
#include "headwise/memory.hpp"

#include <emscripten/bind.h>

#include "record.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

constexpr Number kAddressSpace = 4294967295.0;

// The address, or 0 when the memory is refused.
Number allocate(Number bytes) {
  if (bytes > kAddressSpace) return 0;
  return address_of(allocate_bytes(static_cast<std::size_t>(bytes)));
}

void release(Number address) { release_bytes(pointer_to<void>(address)); }

struct MemoryValue {
  Number used, peak, blocks;
};

MemoryValue memory() {
  const MemoryUse use = memory_use();
  return {static_cast<Number>(use.used), static_cast<Number>(use.peak),
          static_cast<Number>(use.blocks)};
}

void limit_memory(Number bytes) {
  set_memory_limit(static_cast<std::size_t>(bytes < kAddressSpace ? bytes : kAddressSpace));
}

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_memory) {
  using namespace headwise::bindings;
  value_object<MemoryValue>("Memory")
      .field("used", &MemoryValue::used)
      .field("peak", &MemoryValue::peak)
      .field("blocks", &MemoryValue::blocks);
  function("allocate", &allocate);
  function("release", &release);
  function("memory", &memory);
  function("limitMemory", &limit_memory);
}
