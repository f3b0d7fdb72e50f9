// A table of embedding rows that may arrive in instalments: first the rows of some tokens, later
// all. Only rows that are there take memory. Rows keep the type they came in (float32, or int8 with
// one scale a row) and are widened when they are looked up; or they are the rows of a matrix that
// products use too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "headwise/linear.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

class EmbeddingTable {
 public:
  // A table of `rows` rows of `width` numbers, none of them there yet. `name` names it in errors.
  // With `matrix` the rows are those of a matrix of this type, which then rounds or widens them.
  Status create(std::int64_t rows, std::int64_t width, std::string name,
                std::optional<WeightType> matrix = {});

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

  // [width] -> [rows], of a table made with one; undefined rows where none has come.
  const Linear& matrix() const { return matrix_; }

  std::int64_t rows() const { return rows_; }
  std::int64_t width() const { return width_; }

 private:
  Status place(const std::int32_t* row_ids, std::int64_t count, bool int8);
  Status grow(std::int64_t capacity, bool int8);
  Status place_in_matrix(const std::int32_t* row_ids, std::int64_t count);

  std::int64_t rows_ = 0, width_ = 0, present_ = 0, capacity_ = 0;
  std::string name_;
  std::optional<WeightType> matrix_type_;
  Linear matrix_;
  Buffer<std::int32_t> slots_;  // [rows]: where the row lies, -1 = not there
  Buffer<float> floats_;        // [capacity, width], or
  Buffer<std::int8_t> bytes_;   // [capacity, width] with
  Buffer<float> scales_;        // [capacity]
};

}  // namespace headwise
