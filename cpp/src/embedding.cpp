#include "headwise/embedding.hpp"

#include <algorithm>
#include <cassert>

#include "text.hpp"

namespace headwise {

Status EmbeddingTable::create(std::int64_t rows, std::int64_t width, std::string name,
                              std::optional<WeightType> matrix) {
  rows_ = rows;
  width_ = width;
  name_ = std::move(name);
  matrix_type_ = matrix;
  matrix_ = Linear();
  present_ = 0;
  capacity_ = 0;
  floats_.reset();
  bytes_.reset();
  scales_.reset();
  HEADWISE_RETURN_IF_ERROR(slots_.allocate(rows, name_.c_str()));
  std::fill(slots_.data(), slots_.data() + rows, -1);
  return {};
}

// Keeps what is there and makes room for `capacity` rows.
Status EmbeddingTable::grow(std::int64_t capacity, bool int8) {
  const std::int64_t kept = present_ * width_;
  if (int8) {
    Buffer<std::int8_t> bytes;
    Buffer<float> scales;
    HEADWISE_RETURN_IF_ERROR(bytes.allocate(capacity * width_, name_.c_str()));
    HEADWISE_RETURN_IF_ERROR(scales.allocate(capacity, name_.c_str()));
    std::copy(bytes_.data(), bytes_.data() + kept, bytes.data());
    std::copy(scales_.data(), scales_.data() + present_, scales.data());
    bytes_ = std::move(bytes);
    scales_ = std::move(scales);
  } else {
    Buffer<float> floats;
    HEADWISE_RETURN_IF_ERROR(floats.allocate(capacity * width_, name_.c_str()));
    std::copy(floats_.data(), floats_.data() + kept, floats.data());
    floats_ = std::move(floats);
  }
  capacity_ = capacity;
  return {};
}

// Gives every row a slot, after judging the ids and the type.
Status EmbeddingTable::place(const std::int32_t* row_ids, std::int64_t count, bool int8) {
  const bool matrix = matrix_type_.has_value();
  if (!matrix && present_ > 0 && int8 != (bytes_.data() != nullptr)) {
    return Status::invalid(name_, int8 ? "float32 rows, as the first" : "int8 rows, as the first",
                           int8 ? "int8 rows" : "float32 rows");
  }
  if (row_ids == nullptr && count > rows_) {
    return Status::invalid(name_, "at most " + text(rows_) + " rows", text(count) + " rows");
  }
  std::int64_t fresh = 0;  // a row that is named twice counts twice: room, never a slot too few
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t id = row_ids == nullptr ? i : row_ids[i];
    if (id < 0 || id >= rows_) {
      return Status::invalid(name_, "rows 0 to " + text(rows_ - 1), "row " + text(id));
    }
    if (slots_[id] < 0) ++fresh;
  }
  if (matrix) return place_in_matrix(row_ids, count);
  if (present_ + fresh > capacity_) {
    // A table that comes piece by piece gets all its room once a quarter of it is there.
    const std::int64_t needed = std::min(present_ + fresh, rows_);
    HEADWISE_RETURN_IF_ERROR(grow(4 * needed > rows_ ? rows_ : needed, int8));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t id = row_ids == nullptr ? i : row_ids[i];
    if (slots_[id] < 0) slots_[id] = static_cast<std::int32_t>(present_++);
  }
  return {};
}

// There a row's slot is its id, and the first instalment takes the memory of all.
Status EmbeddingTable::place_in_matrix(const std::int32_t* row_ids, std::int64_t count) {
  if (matrix_.out() == 0) {
    HEADWISE_RETURN_IF_ERROR(
        matrix_.create(width_, rows_, matrix_type_.value_or(WeightType::kFloat32), false));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t id = row_ids == nullptr ? i : row_ids[i];
    if (slots_[id] < 0) ++present_;
    slots_[id] = static_cast<std::int32_t>(id);
  }
  return {};
}

Status EmbeddingTable::set_rows(const std::int32_t* row_ids, std::int64_t count,
                                const float* values) {
  HEADWISE_RETURN_IF_ERROR(place(row_ids, count, false));
  for (std::int64_t i = 0; i < count; ++i, values += width_) {
    const std::int64_t slot = slots_[row_ids == nullptr ? i : row_ids[i]];
    if (matrix_type_.has_value()) {
      matrix_.set_rows(slot, 1, values);
      continue;
    }
    std::copy(values, values + width_, floats_.data() + slot * width_);
  }
  return {};
}

Status EmbeddingTable::set_rows(const std::int32_t* row_ids, std::int64_t count,
                                const std::int8_t* values, const float* row_scales) {
  HEADWISE_RETURN_IF_ERROR(place(row_ids, count, true));
  for (std::int64_t i = 0; i < count; ++i, values += width_) {
    const std::int64_t slot = slots_[row_ids == nullptr ? i : row_ids[i]];
    if (matrix_type_.has_value()) {
      matrix_.set_rows(slot, 1, values, row_scales + i);
      continue;
    }
    std::copy(values, values + width_, bytes_.data() + slot * width_);
    scales_[slot] = row_scales[i];
  }
  return {};
}

Status EmbeddingTable::check(const std::int32_t* ids, std::int64_t count,
                             const char* argument) const {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t id = ids[i];
    if (id < 0 || id >= rows_) {
      return Status::invalid(argument, "integers from 0 to " + text(rows_ - 1), text(id));
    }
    if (slots_[id] < 0) {
      return Status::unsupported(argument, "rows of " + name_ + " that have arrived",
                                 "row " + text(id) + ", which has not");
    }
  }
  return {};
}

void EmbeddingTable::lookup(const std::int32_t* ids, std::int64_t count,
                            const Tensor<float, 2>& y) const {
  for (std::int64_t i = 0; i < count; ++i) {
    assert(has_row(ids[i]));
    const std::int64_t slot = slots_[ids[i]];
    float* row = y.at(i);
    if (matrix_type_.has_value()) {
      matrix_.copy_rows(slot, 1, row);
      continue;
    }
    if (bytes_.data() == nullptr) {
      std::copy(floats_.data() + slot * width_, floats_.data() + (slot + 1) * width_, row);
      continue;
    }
    const std::int8_t* source = bytes_.data() + slot * width_;
    for (std::int64_t c = 0; c < width_; ++c)
      row[c] = static_cast<float>(source[c]) * scales_[slot];
  }
}

}  // namespace headwise
