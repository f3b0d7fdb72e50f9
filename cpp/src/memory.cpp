// Counts what is held. Each block carries its size in a header of one alignment unit before it.
#include "headwise/memory.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>

#include "text.hpp"

namespace headwise {
namespace {

constexpr std::size_t kAlignment = 64;

std::atomic<std::size_t> used{0};
std::atomic<std::size_t> peak{0};
std::atomic<std::size_t> blocks{0};
std::atomic<std::size_t> limit{std::numeric_limits<std::size_t>::max()};

void raise_peak(std::size_t now) {
  std::size_t seen = peak.load();
  while (seen < now && !peak.compare_exchange_weak(seen, now)) {
  }
}

}  // namespace

void* allocate_bytes(std::size_t bytes) {
  // Whole alignment units, and at least one, so that aligned_alloc's precondition holds.
  if (bytes > std::numeric_limits<std::size_t>::max() - 3 * kAlignment) return nullptr;
  const std::size_t total = (bytes + kAlignment - 1) / kAlignment * kAlignment + kAlignment;
  const std::size_t now = used.fetch_add(total) + total;
  void* start = now <= limit.load() ? std::aligned_alloc(kAlignment, total) : nullptr;
  if (start == nullptr) {
    used.fetch_sub(total);
    return nullptr;
  }
  raise_peak(now);
  blocks.fetch_add(1);
  *static_cast<std::size_t*>(start) = total;
  return static_cast<char*>(start) + kAlignment;
}

Status allocate_elements(std::int64_t count, std::size_t element_bytes, const char* purpose,
                         void** block) {
  const auto most = std::numeric_limits<std::size_t>::max() / 2 / element_bytes;
  *block = nullptr;
  if (count >= 0 && static_cast<std::uint64_t>(count) <= most) {
    *block = allocate_bytes(static_cast<std::size_t>(count) * element_bytes);
  }
  if (*block != nullptr) return {};
  return Status::out_of_memory(
      purpose, "memory the module may take",
      text(count) + " elements of " + text(static_cast<std::int64_t>(element_bytes)) + " bytes");
}

void release_bytes(void* block) {
  if (block == nullptr) return;
  void* start = static_cast<char*>(block) - kAlignment;
  used.fetch_sub(*static_cast<std::size_t*>(start));
  blocks.fetch_sub(1);
  std::free(start);
}

MemoryUse memory_use() { return {used.load(), peak.load(), blocks.load()}; }

void reset_memory_peak() { peak.store(used.load()); }

void set_memory_limit(std::size_t bytes) { limit.store(bytes); }

}  // namespace headwise
