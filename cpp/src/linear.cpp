#include "headwise/linear.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "headwise/parallel.hpp"
#include "kernels/integer_rows.hpp"
#include "kernels/matrix_product.hpp"

namespace headwise {

using kernels::kernel_of;
using kernels::kPanelColumns;
using kernels::panel_count;

namespace {

// Rows of x that pass a panel together: whole tiles, about 150 KB of x, and blocks of one size, as
// many for each thread. The choice has no effect on the bits.
std::int64_t rows_per_block(std::int64_t rows, std::int64_t bytes_per_row, std::int64_t tile_rows) {
  constexpr std::int64_t kLeastRows = 12;
  constexpr std::int64_t kMostRows = 96;
  constexpr std::int64_t kBlockBytes = 150 << 10;
  const auto round_up = [](std::int64_t count, std::int64_t unit) {
    return (count + unit - 1) / unit * unit;
  };
  const std::int64_t fitting = std::clamp(kBlockBytes / bytes_per_row, kLeastRows, kMostRows);
  const std::int64_t blocks = round_up((rows + fitting - 1) / fitting, thread_count());
  return round_up((rows + blocks - 1) / blocks, tile_rows);
}

// A product cut for the threads: blocks of rows, and where those are too few the panels of columns
// in as many parts. The cut has no effect on the bits.
struct Pieces {
  std::int64_t block, parts, panels, count;

  Pieces(std::int64_t rows, std::int64_t rows_of_block, const LinearOptions& options)
      : block(rows_of_block), panels(panel_count(options.outputs)) {
    constexpr std::int64_t kLeastCost = 1 << 16;  // multiply-adds that are worth waking a thread
    const std::int64_t blocks = (rows + block - 1) / block;
    const std::int64_t worthwhile = rows * options.inputs * options.outputs / kLeastCost;
    parts = std::clamp(std::min(thread_count() / blocks, worthwhile), std::int64_t{1}, panels);
    count = blocks * parts;
  }
  std::int64_t first_row(std::int64_t piece) const { return piece / parts * block; }
  std::int64_t panel(std::int64_t part) const { return panels * part / parts; }
};

}  // namespace

// Those of the rows and columns used; rows then count from the first column of y.
std::vector<Outlier> Linear::outliers_within(const LinearOptions& options) const {
  std::vector<Outlier> within;
  for (Outlier outlier : outliers_) {
    outlier.row -= options.first_output;
    const std::int64_t input = outlier.column - options.first_input;
    if (outlier.row >= 0 && outlier.row < options.outputs && input >= 0 && input < options.inputs) {
      within.push_back(outlier);
    }
  }
  return within;
}

Status Linear::forward(const Tensor<const float, 2>& x, const Tensor<float, 2>& y,
                       const LinearOptions& requested) const {
  LinearOptions options = requested;
  if (options.outputs < 0) options.outputs = out_ - options.first_output;
  if (options.inputs < 0) options.inputs = in_ - options.first_input;
  assert(options.first_output % kPanelColumns == 0);
  assert(options.first_output + options.outputs <= out_ && options.outputs == y.dims[1]);
  assert(options.first_input + options.inputs <= in_ && x.dims[1] == in_);
  assert(x.dims[0] == y.dims[0]);
  assert(!options.accumulate || options.activation == ActivationFunction::kIdentity);
  if (x.dims[0] == 0 || options.outputs == 0) return {};
  if (type_ == WeightType::kInt8) return forward_int8(x, y, options);
  return forward_float32(x, y, options);
}

namespace {

kernels::Epilogue epilogue_of(const LinearOptions& options, const float* bias) {
  return {options.bias && bias != nullptr ? bias + options.first_output : nullptr,
          options.accumulate, options.activation};
}

}  // namespace

Status Linear::forward_float32(const Tensor<const float, 2>& x, const Tensor<float, 2>& y,
                               const LinearOptions& options) const {
  const std::int64_t rows = x.dims[0];
  const std::int64_t block = rows_per_block(rows, options.inputs * sizeof(float), simd::kTileRows);
  const std::int64_t room = kernels::interleaved_floats(std::min(block, rows), options.inputs);
  const kernels::Epilogue epilogue = epilogue_of(options, bias_.data());
  Buffer<float> interleaved;
  if (room > 0) {
    HEADWISE_RETURN_IF_ERROR(interleaved.allocate(thread_count() * room, "workspace"));
  }
  const Pieces pieces(rows, block, options);
  parallel_for(pieces.count, [&](std::int64_t piece, int thread) {
    const std::int64_t first = pieces.first_row(piece);
    kernels::multiply(
        kernels::FloatProduct{
            .x = x.at(first) + options.first_input,
            .x_stride = x.strides[0],
            .rows = std::min(block, rows - first),
            .panels =
                panels_.data() + options.first_output * in_ + options.first_input * kPanelColumns,
            .panel_stride = in_ * kPanelColumns,
            .depth = options.inputs,
            .y = y.at(first),
            .y_stride = y.strides[0],
            .columns = options.outputs,
            .first_panel = pieces.panel(piece % pieces.parts),
            .last_panel = pieces.panel(piece % pieces.parts + 1),
            .interleaved = interleaved.data() + thread * room,
        },
        epilogue);
  });
  return {};
}

// What the sums of the columns used are for a row of zeros; `own` is room for them, which is needed
// where only some of the inputs are used.
const std::int32_t* Linear::sums_of_zeros(const LinearOptions& options, std::int64_t first_quad,
                                          std::int64_t quads,
                                          std::vector<std::int32_t>* own) const {
  if (!quads_ || options.inputs == in_) return row_zeros_.data() + options.first_output;
  constexpr std::int64_t kQuadBytes = kernels::kQuad * kPanelColumns;
  own->assign(static_cast<std::size_t>(panel_count(options.outputs) * kPanelColumns), 0);
  for (std::size_t column = 0; column < own->size(); ++column) {
    const std::int64_t row = options.first_output + static_cast<std::int64_t>(column);
    const std::int8_t* quad = byte_panels_.data() + byte_panel(row) + first_quad * kQuadBytes +
                              row % kPanelColumns * kernels::kQuad;
    std::int32_t sum = 0;
    for (std::int64_t k = 0; k < quads; ++k, quad += kQuadBytes) {
      sum += std::accumulate(quad, quad + kernels::kQuad, 0);
    }
    (*own)[column] = kernels::sum_of_zeros(kernel_of(quads_), sum);
  }
  return own->data();
}

Status Linear::forward_int8(const Tensor<const float, 2>& x, const Tensor<float, 2>& y,
                            const LinearOptions& options) const {
  const std::int64_t rows = x.dims[0];
  const std::int64_t first_quad = options.first_input / kernels::kQuad;
  const std::int64_t last_input = options.first_input + options.inputs;
  const std::int64_t quads = kernels::input_quads(last_input) - first_quad;
  const std::int64_t stride = padded_inputs();
  const kernels::IntegerKernel kernel = kernel_of(quads_);
  const std::int64_t block = rows_per_block(rows, stride * sizeof(std::int16_t),
                                            quads_ ? kernels::kQuadRows : kernels::kPairRows);
  const std::int32_t limit = kernels::activation_limit(in_);
  const std::vector<Outlier> outliers = outliers_within(options);
  const kernels::Epilogue epilogue = epilogue_of(options, bias_.data());
  std::vector<std::int32_t> own_zeros;
  const std::int32_t* zeros = sums_of_zeros(options, first_quad, quads, &own_zeros);
  Buffer<std::int16_t> integers;
  Buffer<float> units;
  HEADWISE_RETURN_IF_ERROR(integers.allocate(thread_count() * block * stride, "workspace"));
  HEADWISE_RETURN_IF_ERROR(units.allocate(thread_count() * block, "workspace"));
  const Pieces pieces(rows, block, options);
  parallel_for(pieces.count, [&](std::int64_t piece, int thread) {
    std::int16_t* own_integers = integers.data() + thread * block * stride;
    float* own_units = units.data() + thread * block;
    const std::int64_t first = pieces.first_row(piece);
    const std::int64_t count = std::min(block, rows - first);
    for (std::int64_t i = 0; i < count; ++i) {
      own_units[i] = kernels::round_to_integers(kernel, x.at(first + i), in_, options.first_input,
                                                last_input, limit, own_integers + i * stride);
    }
    kernels::multiply(
        kernels::IntegerProduct{
            .x = own_integers + first_quad * kernels::kQuad,
            .x_stride = stride,
            .units = own_units,
            .rows = count,
            .panels = byte_panels_.data() + options.first_output * stride +
                      first_quad * kernels::kQuad * kPanelColumns,
            .panel_stride = stride * kPanelColumns,
            .quads = quads,
            .zeros = zeros,
            .scales = row_scales_.data() + options.first_output,
            .outliers = outliers,
            .floats = x.at(first),
            .floats_stride = x.strides[0],
            .y = y.at(first),
            .y_stride = y.strides[0],
            .columns = options.outputs,
            .first_panel = pieces.panel(piece % pieces.parts),
            .last_panel = pieces.panel(piece % pieces.parts + 1),
        },
        kernel, epilogue);
  });
  return {};
}

}  // namespace headwise
