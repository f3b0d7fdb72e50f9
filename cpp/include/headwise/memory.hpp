// Checked, counted memory for everything large. Running out is a Status, never a trap, and the
// counters are what `hw.info.memory` shows. Small bookkeeping (names, shapes) may live elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "headwise/status.hpp"

namespace headwise {

struct MemoryUse {
  std::size_t used = 0;  // bytes held now
  std::size_t peak = 0;  // the most ever held (high-water mark) since the last reset_memory_peak()
  std::size_t blocks = 0;  // allocations held now: zero once every handle is disposed
};

// 64-byte aligned; nullptr when the system or the limit refuses. `bytes` may be 0.
void* allocate_bytes(std::size_t bytes);
void release_bytes(void* block);
// The same for `count` elements, with an error that names their `purpose`; once for all types, as a
// Buffer of each would carry it.
Status allocate_elements(std::int64_t count, std::size_t element_bytes, const char* purpose,
                         void** block);

MemoryUse memory_use();
void reset_memory_peak();
// Refuses allocations that would take `used` beyond this many bytes.
void set_memory_limit(std::size_t bytes);

// Owns `size` elements of a trivially copyable T; move-only. Contents start undefined.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      release_bytes(data_);
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release_bytes(data_); }

  // Frees what it holds and takes `size` elements; `purpose` names the thing in the error.
  Status allocate(std::int64_t size, const char* purpose) {
    release_bytes(std::exchange(data_, nullptr));
    size_ = 0;
    void* block = nullptr;
    HEADWISE_RETURN_IF_ERROR(allocate_elements(size, sizeof(T), purpose, &block));
    data_ = static_cast<T*>(block);
    size_ = size;
    return {};
  }
  // Keeps the block when it is already large enough: for workspaces that are used again and again.
  Status reserve(std::int64_t size, const char* purpose) {
    return size <= size_ && data_ != nullptr ? Status{} : allocate(size, purpose);
  }
  void reset() {
    release_bytes(std::exchange(data_, nullptr));
    size_ = 0;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::int64_t size() const { return size_; }
  T& operator[](std::int64_t i) { return data_[i]; }
  const T& operator[](std::int64_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace headwise
