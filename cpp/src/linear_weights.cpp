// A linear layer's weights: taken, packed, given back. What computes with them is in linear.cpp.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numeric>
#include <tuple>
#include <vector>

#include "headwise/linear.hpp"
#include "heap_sort.hpp"
#include "kernels/integer_tile.hpp"
#include "kernels/tile.hpp"

namespace headwise {

using kernels::kernel_of;
using kernels::kPanelColumns;
using kernels::panel_count;

namespace {

// Rounds a float row to int8: 127 stands for the largest magnitude.
float round_weight_row(const float* values, std::int64_t count, std::int8_t* bytes) {
  float largest = 0.0F;
  for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, std::fabs(values[i]));
  const float scale = largest / 127.0F;
  for (std::int64_t i = 0; i < count; ++i) {
    const float quotient = scale > 0.0F ? values[i] / scale : 0.0F;
    bytes[i] = static_cast<std::int8_t>(std::nearbyint(std::clamp(quotient, -127.0F, 127.0F)));
  }
  return scale;
}

}  // namespace

// Bytes of an int8 row of W, and numbers of a row of integers.
std::int64_t Linear::padded_inputs() const { return kernels::input_quads(in_) * kernels::kQuad; }

Status Linear::create(std::int64_t in, std::int64_t out, WeightType type, bool bias) {
  assert(in >= 1 && out >= 1);
  in_ = in;
  out_ = out;
  type_ = type;
  const std::int64_t padded = panel_count(out) * kPanelColumns;
  panels_.reset();
  byte_panels_.reset();
  row_scales_.reset();
  row_zeros_.reset();
  bias_.reset();
  outliers_.clear();
  if (type == WeightType::kFloat32) {
    HEADWISE_RETURN_IF_ERROR(panels_.allocate(padded * in, "weights"));
    std::memset(panels_.data(), 0, static_cast<std::size_t>(padded * in) * sizeof(float));
  } else {
    const std::int64_t bytes = padded * padded_inputs();
    HEADWISE_RETURN_IF_ERROR(byte_panels_.allocate(bytes, "weights"));
    std::memset(byte_panels_.data(), 0, static_cast<std::size_t>(bytes));
    HEADWISE_RETURN_IF_ERROR(row_scales_.allocate(padded, "weights"));
    std::fill(row_scales_.data(), row_scales_.data() + padded, 0.0F);
    HEADWISE_RETURN_IF_ERROR(row_zeros_.allocate(padded, "weights"));
    std::fill(row_zeros_.data(), row_zeros_.data() + padded, 0);
    quads_ = kernels::integer_kernel() == kernels::IntegerKernel::kQuads;
  }
  if (bias) {
    HEADWISE_RETURN_IF_ERROR(bias_.allocate(padded, "weights"));
    std::fill(bias_.data(), bias_.data() + padded, 0.0F);
  }
  return {};
}

// Where a row of W stands in the panels: its values are kPanelColumns apart.
std::int64_t Linear::panel_column(std::int64_t row) const {
  return row / kPanelColumns * kPanelColumns * in_ + row % kPanelColumns;
}

// Where the byte panel with a row of W begins.
std::int64_t Linear::byte_panel(std::int64_t row) const {
  return row / kPanelColumns * kPanelColumns * padded_inputs();
}

void Linear::place_row(std::int64_t row, const float* values) {
  float* column = panels_.data() + panel_column(row);
  for (std::int64_t k = 0; k < in_; ++k) column[k * kPanelColumns] = values[k];
}

void Linear::place_row(std::int64_t row, const std::int8_t* values, float scale) {
  kernels::pack_integer_row(kernel_of(quads_), values, in_, static_cast<int>(row % kPanelColumns),
                            byte_panels_.data() + byte_panel(row));
  row_scales_[row] = scale;
  row_zeros_[row] =
      kernels::sum_of_zeros(kernel_of(quads_), std::accumulate(values, values + in_, 0));
}

void Linear::set_rows(std::int64_t first_row, std::int64_t count, const float* values) {
  assert(first_row >= 0 && first_row + count <= out_);
  replace_outliers(first_row, count, {});
  std::vector<std::int8_t> bytes(type_ == WeightType::kInt8 ? static_cast<std::size_t>(in_) : 0);
  for (std::int64_t i = 0; i < count; ++i, values += in_) {
    if (type_ == WeightType::kFloat32) {
      place_row(first_row + i, values);
    } else {
      const float scale = round_weight_row(values, in_, bytes.data());
      place_row(first_row + i, bytes.data(), scale);
    }
  }
}

void Linear::set_rows(std::int64_t first_row, std::int64_t count, const std::int8_t* values,
                      const float* row_scales, std::span<const Outlier> outliers) {
  assert(first_row >= 0 && first_row + count <= out_);
  replace_outliers(first_row, count, outliers);
  std::vector<float> floats(type_ == WeightType::kFloat32 ? static_cast<std::size_t>(in_) : 0);
  for (std::int64_t i = 0; i < count; ++i, values += in_) {
    if (type_ == WeightType::kInt8) {
      place_row(first_row + i, values, row_scales[i]);
    } else {
      for (std::int64_t k = 0; k < in_; ++k) {
        floats[static_cast<std::size_t>(k)] = static_cast<float>(values[k]) * row_scales[i];
      }
      place_row(first_row + i, floats.data());
    }
  }
  if (type_ == WeightType::kInt8) return;
  for (const Outlier& outlier : outliers) {
    panels_[panel_column(first_row + outlier.row) + outlier.column * kPanelColumns] +=
        outlier.value;
  }
}

// An int8 layer forgets the outliers of these rows and takes others.
void Linear::replace_outliers(std::int64_t first_row, std::int64_t count,
                              std::span<const Outlier> outliers) {
  if (type_ != WeightType::kInt8) return;
  std::erase_if(outliers_, [&](const Outlier& old) {
    return old.row >= first_row && old.row < first_row + count;
  });
  for (Outlier outlier : outliers) {
    assert(outlier.row >= 0 && outlier.row < count);
    assert(outlier.column >= 0 && outlier.column < in_);
    outlier.row += first_row;
    outliers_.push_back(outlier);
  }
  // One order whatever order they came in, since sums of floats depend on it.
  heap_sort(outliers_, [](const Outlier& outlier) {
    return std::tuple(outlier.row, outlier.column, outlier.value);
  });
}

void Linear::set_bias(std::int64_t first_row, std::int64_t count, const float* values) {
  assert(has_bias() && first_row >= 0 && first_row + count <= out_);
  std::copy(values, values + count, bias_.data() + first_row);
}

void Linear::copy_rows(std::int64_t first_row, std::int64_t count, float* values) const {
  assert(first_row >= 0 && first_row + count <= out_);
  std::vector<std::int8_t> bytes(type_ == WeightType::kInt8 ? static_cast<std::size_t>(in_) : 0);
  for (std::int64_t row = first_row; row < first_row + count; ++row) {
    float* target = values + (row - first_row) * in_;
    if (type_ == WeightType::kFloat32) {
      const float* column = panels_.data() + panel_column(row);
      for (std::int64_t k = 0; k < in_; ++k) target[k] = column[k * kPanelColumns];
    } else {
      kernels::unpack_integer_row(kernel_of(quads_), byte_panels_.data() + byte_panel(row),
                                  static_cast<int>(row % kPanelColumns), in_, bytes.data());
      for (std::int64_t k = 0; k < in_; ++k) {
        target[k] = static_cast<float>(bytes[static_cast<std::size_t>(k)]) * row_scales_[row];
      }
    }
  }
  for (const Outlier& outlier : outliers_) {
    const std::int64_t row = outlier.row - first_row;
    if (row >= 0 && row < count) values[row * in_ + outlier.column] += outlier.value;
  }
}

void Linear::copy_bias(std::int64_t first_row, std::int64_t count, float* values) const {
  assert(has_bias() && first_row >= 0 && first_row + count <= out_);
  std::copy_n(bias_.data() + first_row, count, values);
}

bool use_quads(bool quads) {
  if (quads && !kernels::has_quad_kernel()) return false;
  kernels::set_integer_kernel(kernels::kernel_of(quads));
  return true;
}

}  // namespace headwise
