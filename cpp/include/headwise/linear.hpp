// A linear layer y = x W^T + b whose weight is kept packed for the kernels, in one of two types:
//   float32  panels of 8 output columns, [ceil(out / 8)][in][8]
//   int8     one byte a weight with one scale a row; activations become integers of up to 13 bits
//            with one scale a row of x, so that the sums are exact: the same bits on every build
// W is [out, in] as PyTorch stores it. Rows can be set in parts, so that query, key and value fill
// one fused matrix. No gradients; nothing here knows what the columns mean.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "headwise/activations.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"
#include "headwise/tensor.hpp"

namespace headwise {

enum class WeightType { kFloat32, kInt8 };

// A single weight far larger than the others of its row. It stands beside an int8 matrix as a
// float, so that it does not stretch the scale of the row: W[row, column] += value.
struct Outlier {
  std::int64_t row = 0, column = 0;
  float value = 0.0F;
};

struct LinearOptions {
  // Only these rows of W (columns of y): [first_output, first_output + outputs); -1 = to the end.
  // first_output must be a multiple of 8 unless it is 0.
  std::int64_t first_output = 0, outputs = -1;
  // Only these columns of W: x then still has all `in` columns and the others are not used. The
  // layer's share of one head, z_h W_O_h, is such a part.
  std::int64_t first_input = 0, inputs = -1;
  bool bias = true;         // add the bias where there is one
  bool accumulate = false;  // y += instead of y =; not together with an activation
  ActivationFunction activation = ActivationFunction::kIdentity;
};

class Linear {
 public:
  // Takes the memory; weights and bias are undefined until set. in >= 1, out >= 1.
  Status create(std::int64_t in, std::int64_t out, WeightType type, bool bias);

  // Rows [first_row, first_row + count) of W, contiguous [count, in]. Float rows are rounded to
  // int8 (symmetric, 127 for the largest magnitude) in an int8 layer, int8 rows widened in a
  // float32 one. Outliers lie inside the rows given and count theirs from the first of them.
  void set_rows(std::int64_t first_row, std::int64_t count, const float* values);
  void set_rows(std::int64_t first_row, std::int64_t count, const std::int8_t* values,
                const float* row_scales, std::span<const Outlier> outliers = {});
  void set_bias(std::int64_t first_row, std::int64_t count, const float* values);
  // Rows of W and of the bias as the products use them: int8 weights times their scales, with their
  // outliers added.
  void copy_rows(std::int64_t first_row, std::int64_t count, float* values) const;
  void copy_bias(std::int64_t first_row, std::int64_t count, float* values) const;

  // x [N, in], y [N, outputs]; rows strided, innermost strides 1; y does not overlap x. Every row
  // is computed alone: the bits do not depend on N or on the place of the row. An int8 row of x
  // with NaN or infinity in it gives a row of NaN. Takes a bounded workspace, about 200 KB a
  // thread.
  Status forward(const Tensor<const float, 2>& x, const Tensor<float, 2>& y,
                 const LinearOptions& options = {}) const;

  std::int64_t in() const { return in_; }
  std::int64_t out() const { return out_; }
  WeightType type() const { return type_; }
  bool has_bias() const { return bias_.data() != nullptr; }

 private:
  std::int64_t panel_column(std::int64_t row) const;
  std::int64_t byte_panel(std::int64_t row) const;
  void place_row(std::int64_t row, const float* values);
  void place_row(std::int64_t row, const std::int8_t* values, float scale);
  void replace_outliers(std::int64_t first_row, std::int64_t count,
                        std::span<const Outlier> outliers);
  std::vector<Outlier> outliers_within(const LinearOptions& options) const;
  std::int64_t padded_inputs() const;
  const std::int32_t* sums_of_zeros(const LinearOptions& options, std::int64_t first_quad,
                                    std::int64_t quads, std::vector<std::int32_t>* own) const;
  Status forward_float32(const Tensor<const float, 2>& x, const Tensor<float, 2>& y,
                         const LinearOptions& options) const;
  Status forward_int8(const Tensor<const float, 2>& x, const Tensor<float, 2>& y,
                      const LinearOptions& options) const;

  std::int64_t in_ = 0;
  std::int64_t out_ = 0;
  WeightType type_ = WeightType::kFloat32;
  Buffer<float> panels_;             // float32
  Buffer<std::int8_t> byte_panels_;  // int8
  Buffer<float> row_scales_;         // int8: [out], padded to panels with zeros
  Buffer<std::int32_t> row_zeros_;   // int8: what a column of y sums to for zeros, likewise
  bool quads_ = false;               // int8: packed for the kernel of quads, else for that of pairs
  std::vector<Outlier> outliers_;    // int8: a few, by row, column and value
  Buffer<float> bias_;               // [out], padded to panels with zeros; null when there is none
};

// For tests: int8 layers made from now on have the kernel of quads, or that of pairs. False, and
// nothing changed, where quads are asked for and the build or the engine has none.
bool use_quads(bool quads);

}  // namespace headwise
