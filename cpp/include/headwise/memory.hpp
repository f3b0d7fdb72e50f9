// Checked, counted memory for everything large. Running out is a Status, never a trap, and the
// counters are what `hw.info.memory` shows. Small bookkeeping (names, shapes) may live elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
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
    const auto limit =
        static_cast<std::int64_t>(std::numeric_limits<std::size_t>::max() / 2 / sizeof(T));
    if (size >= 0 && size <= limit) {
      data_ = static_cast<T*>(allocate_bytes(static_cast<std::size_t>(size) * sizeof(T)));
    }
    if (data_ == nullptr) {
      return Status::out_of_memory(
          purpose, "memory the module may take",
          std::to_string(size) + " elements of " + std::to_string(sizeof(T)) + " bytes");
    }
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
