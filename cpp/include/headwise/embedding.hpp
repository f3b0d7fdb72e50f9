// A table of embedding rows that may arrive in instalments: first the rows of some tokens, later
// all. Only rows that are there take memory. Rows keep the type they came in (float32, or int8 with
// one scale a row) and are widened when they are looked up.
#pragma once

#include <cstdint>

#include "headwise/memory.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

class EmbeddingTable {
 public:
  // A table of `rows` rows of `width` numbers, none of them there yet. `name` names it in errors.
  Status create(std::int64_t rows, std::int64_t width, const char* name);

  // The rows row_ids[0 .. count), contiguous [count, width]; row_ids null = 0, 1, ..., count - 1.
  // A row that is there already is replaced. All instalments of a table have one type.
  Status set_rows(const std::int32_t* row_ids, std::int64_t count, const float* values);
  Status set_rows(const std::int32_t* row_ids, std::int64_t count, const std::int8_t* values,
                  const float* row_scales);

  bool has_row(std::int64_t id) const { return id >= 0 && id < rows_ && slots_[id] >= 0; }
  std::int64_t present_rows() const { return present_; }
  bool complete() const { return rows_ > 0 && present_ == rows_; }

  // Whether every id can be looked up: one outside the table is invalid, a row that has not arrived
  // is unsupported (yet). The error's argument is `argument`.
  Status check(const std::int32_t* ids, std::int64_t count, const char* argument) const;
  // y[i] = row ids[i], y [count, width], rows strided. Precondition: check() has passed.
  void lookup(const std::int32_t* ids, std::int64_t count, const Tensor<float, 2>& y) const;

  std::int64_t rows() const { return rows_; }
  std::int64_t width() const { return width_; }

 private:
  Status place(const std::int32_t* row_ids, std::int64_t count, bool int8);
  Status grow(std::int64_t capacity, bool int8);

  std::int64_t rows_ = 0, width_ = 0, present_ = 0, capacity_ = 0;
  const char* name_ = "";
  Buffer<std::int32_t> slots_;  // [rows]: where the row lies, -1 = not there
  Buffer<float> floats_;        // [capacity, width], or
  Buffer<std::int8_t> bytes_;   // [capacity, width] with
  Buffer<float> scales_;        // [capacity]
};

}  // namespace headwise
