#include "attention_block.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "attention_visibility.hpp"
#include "headwise/parallel.hpp"
#include "kernels/attention_tile.hpp"
#include "kernels/elementary.hpp"
#include "kernels/pack.hpp"

namespace headwise {
namespace {

using kernels::PanelView;
using kernels::round_up_to_panel;
using simd::F32x4;

constexpr float kHidden = -std::numeric_limits<float>::infinity();
constexpr int kTileRows = simd::kTileRows;

struct RowPlace {
  std::int64_t head = 0, query = 0;
  KeyInterval visible;
};
static_assert(sizeof(RowPlace) == 8 * sizeof(float));

// Keys [first, first + count) of the tile that is being worked on.
struct KeyTile {
  std::int64_t first = 0, count = 0;
  PanelView keys{};
  PanelView values{};
  bool values_checked = false;  // whether values_finite has been found out
  bool values_finite = true;
};

// What a group of rows sees of the tile: keys up to the last one that any of them sees, and whether
// every row sees the whole tile.
struct GroupView {
  std::int64_t count = 0;
  bool all = false;
};

class Block {
 public:
  Block(const AttentionProblem& problem, const AttentionBlockLayout& layout,
        const AttentionBlockPlace& place, float* workspace);
  void run();

 private:
  void load_rows();
  void load_tile(std::int64_t first);
  template <int Rows>
  void process_rows(std::int64_t row);
  void mask_row_scores(std::int64_t row, float* scores, std::int64_t count) const;
  [[gnu::noinline]] static std::uint64_t hidden_bits(const float* scores, std::int64_t count);
  bool tile_values_finite();
  void keep_scores(float* target, std::int64_t row, const float* scores, std::int64_t count) const;
  void prepare_scores(std::int64_t row, float* scores, const GroupView& view) const;
  template <int Rows>
  GroupView view_group(std::int64_t row) const;
  void finish_row(std::int64_t row);

  std::int64_t flat_row(std::int64_t row) const {
    return (place_.batch * p_.query.dims[1] + rows_[row].head) * p_.query.dims[2] +
           rows_[row].query;
  }

  const AttentionProblem& p_;
  const AttentionBlockLayout layout_;
  const AttentionBlockPlace place_;
  std::int64_t count_ = 0;   // rows in this block
  bool has_masks_ = false;   // masks that are not intervals
  bool raw_scores_ = false;  // scores are wanted where nothing is seen, too
  bool values_in_place_ = false;
  KeyTile tile_;
  RowPlace* rows_;
  float* queries_;             // [rows, D]
  float* output_;              // [rows, value_width], not yet divided by the sum
  float* maximum_;             // [rows]
  float* sum_;                 // [rows, 4]: one partial sum a lane
  float* packed_keys_;         // [tile_keys / 8, D, 8]
  float* packed_values_;       // [value_width / 8, tile_keys, 8]
  kernels::ScoreRows scores_;  // [kTileRows, tile_keys]
};

Block::Block(const AttentionProblem& problem, const AttentionBlockLayout& layout,
             const AttentionBlockPlace& place, float* workspace)
    : p_(problem), layout_(layout), place_(place) {
  has_masks_ = p_.mask.present() || p_.key_mask != nullptr;
  raw_scores_ =
      p_.scores_point == ScoresPoint::kScaled || p_.scores_point == ScoresPoint::kSoftcapped;
  rows_ = reinterpret_cast<RowPlace*>(workspace);
  float* next = workspace + layout.rows * 8;
  const auto take = [&next](std::int64_t floats) { return std::exchange(next, next + floats); };
  packed_keys_ = take(layout.tile_keys * layout.head_dim);
  packed_values_ = take(layout.tile_keys * layout.value_width);
  scores_ = {take(layout.tile_keys * kTileRows), layout.tile_keys};
  queries_ = take(layout.rows * layout.head_dim);
  output_ = take(layout.rows * layout.value_width);
  sum_ = take(layout.rows * 4);
  maximum_ = take(layout.rows);
}

void Block::load_rows() {
  const std::int64_t group = p_.query.dims[1] / p_.value.dims[1];
  count_ = group * place_.queries;
  for (std::int64_t row = 0; row < count_; ++row) {
    const std::int64_t head = place_.kv_head * group + row / place_.queries;
    const std::int64_t query = place_.first_query + row % place_.queries;
    rows_[row] = {head, query, visible_interval(p_, place_.batch, query)};
    const float* source = p_.query.at(place_.batch, head, query);
    std::copy(source, source + layout_.head_dim, queries_ + row * layout_.head_dim);
  }
  std::fill(output_, output_ + count_ * layout_.value_width, 0.0F);
  std::fill(sum_, sum_ + count_ * 4, 0.0F);
  // Finite, so that a row that sees nothing subtracts no infinity from another.
  std::fill(maximum_, maximum_ + count_, -FLT_MAX);
  // Packing pays from a few rows on; values whose rows fit the tile are then read where they lie.
  values_in_place_ = count_ <= 2 * kTileRows && layout_.value_width == p_.value.dims[3];
}

void Block::load_tile(std::int64_t first) {
  tile_.first = first;
  tile_.count = std::min(layout_.tile_keys, p_.value.dims[2] - first);
  const std::int64_t depth = layout_.head_dim;
  const float* key_panels = packed_keys_;
  if (p_.key_panels != nullptr) {
    key_panels = p_.key_panels + place_.batch * p_.key_panel_stride_b +
                 place_.kv_head * p_.key_panel_stride_h + first * depth;
  } else {
    for (std::int64_t key = 0; key < tile_.count; key += kernels::kPanelColumns) {
      const std::int64_t columns =
          std::min<std::int64_t>(kernels::kPanelColumns, tile_.count - key);
      kernels::pack_transposed_panel(p_.key.at(place_.batch, place_.kv_head, first + key),
                                     p_.key.strides[2], columns, depth, packed_keys_ + key * depth);
    }
  }
  tile_.keys = {key_panels, kernels::kPanelColumns, kernels::kPanelColumns * depth};

  const float* values = p_.value.at(place_.batch, place_.kv_head, first);
  tile_.values_checked = !values_in_place_;
  if (values_in_place_) {
    tile_.values = {values, p_.value.strides[2], kernels::kPanelColumns};
  } else {
    tile_.values_finite =
        kernels::pack_row_panels(values, p_.value.strides[2], tile_.count, p_.value.dims[3],
                                 layout_.tile_keys, packed_values_);
    tile_.values = {packed_values_, kernels::kPanelColumns,
                    kernels::kPanelColumns * layout_.tile_keys};
  }
}

bool Block::tile_values_finite() {
  if (!tile_.values_checked) {
    tile_.values_finite = kernels::rows_are_finite(tile_.values.data, tile_.values.b_stride,
                                                   tile_.count, p_.value.dims[3]);
    tile_.values_checked = true;
  }
  return tile_.values_finite;
}

void Block::keep_scores(float* target, std::int64_t row, const float* scores,
                        std::int64_t count) const {
  std::copy(scores, scores + count, target + flat_row(row) * p_.value.dims[2] + tile_.first);
}

// Steps 3 to 6: what the row may not see becomes -infinity, what it may see gets its bias.
void Block::mask_row_scores(std::int64_t row, float* scores, std::int64_t count) const {
  const RowPlace& place = rows_[row];
  const std::int64_t first = std::clamp<std::int64_t>(place.visible.first - tile_.first, 0, count);
  const std::int64_t last =
      std::clamp<std::int64_t>(place.visible.last - tile_.first, first, count);
  std::fill(scores, scores + first, kHidden);
  std::fill(scores + last, scores + round_up_to_panel(count), kHidden);
  if (p_.mask.present()) {
    const std::int64_t step = p_.mask.strides[3];
    const std::int64_t start =
        mask_row(p_.mask, place_.batch, place.head, place.query) + tile_.first * step;
    if (p_.mask.allowed != nullptr) {
      const std::uint8_t* allowed = p_.mask.allowed + start;
      for (std::int64_t j = first; j < last; ++j) {
        scores[j] = allowed[j * step] != 0 ? scores[j] : kHidden;
      }
    } else {
      // Selected rather than added where the bias is -infinity: NaN + -infinity would be NaN.
      const float* bias = p_.mask.bias + start;
      for (std::int64_t j = first; j < last; ++j) {
        scores[j] = bias[j * step] == kHidden ? kHidden : scores[j] + bias[j * step];
      }
    }
  }
  if (p_.key_mask != nullptr) {
    const std::uint8_t* real = p_.key_mask + place_.batch * p_.value.dims[2] + tile_.first;
    for (std::int64_t j = first; j < last; ++j) scores[j] = real[j] != 0 ? scores[j] : kHidden;
  }
}

std::uint64_t Block::hidden_bits(const float* scores, std::int64_t count) {
  std::uint64_t bits = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    bits |= static_cast<std::uint64_t>(scores[j] == kHidden) << j;
  }
  return bits;
}

template <int Rows>
GroupView Block::view_group(std::int64_t row) const {
  GroupView view;
  view.all = !has_masks_ && tile_.count % kernels::kPanelColumns == 0;
  for (int r = 0; r < Rows; ++r) {
    const KeyInterval& visible = rows_[row + r].visible;
    view.all &= visible.first <= tile_.first && visible.last >= tile_.first + tile_.count;
    if (visible.first >= tile_.first + tile_.count) continue;
    view.count = std::max(view.count, std::min(tile_.count, visible.last - tile_.first));
  }
  return view;
}

// From scaled scores to what the softmax takes, and copies of what is asked for on the way.
void Block::prepare_scores(std::int64_t row, float* scores, const GroupView& view) const {
  if (p_.scores_point == ScoresPoint::kScaled) keep_scores(p_.scores, row, scores, tile_.count);
  if (p_.softcap > 0.0F) {
    const F32x4 cap = simd::splat(p_.softcap);
    for (std::int64_t j = 0; j < round_up_to_panel(raw_scores_ ? tile_.count : view.count);
         j += 4) {
      simd::store(scores + j, cap * kernels::tanh(simd::load(scores + j) / cap));
    }
  }
  if (p_.scores_point == ScoresPoint::kSoftcapped) keep_scores(p_.scores, row, scores, tile_.count);
  if (!view.all) mask_row_scores(row, scores, view.count);
  if (p_.scores_point == ScoresPoint::kBiased) keep_scores(p_.scores, row, scores, view.count);
  if (p_.weights != nullptr) keep_scores(p_.weights, row, scores, view.count);
}

template <int Rows>
void Block::process_rows(std::int64_t row) {
  const GroupView view = view_group<Rows>(row);
  if (view.count == 0 && !raw_scores_) return;
  kernels::score_tile<Rows>(queries_ + row * layout_.head_dim, layout_.head_dim, tile_.keys,
                            p_.scale, scores_, raw_scores_ ? tile_.count : view.count);
  for (int r = 0; r < Rows; ++r) prepare_scores(row + r, scores_.row(r), view);
  if (view.count == 0) return;

  std::uint64_t hidden[Rows] = {};
  std::uint64_t any_hidden = 0;
  if (!view.all || !tile_.values_finite) {
    for (int r = 0; r < Rows; ++r)
      any_hidden |= hidden[r] = hidden_bits(scores_.row(r), view.count);
  }
  F32x4 rescale[Rows];
  HEADWISE_UNROLL
  for (int r = 0; r < Rows; ++r) {
    rescale[r] =
        kernels::softmax_row(scores_.row(r), view.count, maximum_ + row + r, sum_ + (row + r) * 4);
  }
  float* output = output_ + row * layout_.value_width;
  if (any_hidden == 0 || tile_values_finite()) {
    return kernels::accumulate_tile<Rows>(scores_, view.count, tile_.values, output,
                                          layout_.value_width, rescale);
  }
  for (int r = 0; r < Rows; ++r) {
    kernels::accumulate_visible(scores_.row(r), view.count, tile_.values,
                                output + r * layout_.value_width, layout_.value_width, rescale[r],
                                hidden[r]);
  }
}

// Divides by the sum, applies the head's factor, and turns kept scores into weights.
void Block::finish_row(std::int64_t row) {
  const RowPlace& place = rows_[row];
  const float sum = simd::horizontal_sum(simd::load(sum_ + row * 4));
  const float inverse = sum == 0.0F ? 0.0F : 1.0F / sum;  // NaN stays NaN
  const float factor = p_.head_mask != nullptr ? p_.head_mask[place.head] : 1.0F;
  const float* source = output_ + row * layout_.value_width;
  float* target = p_.output.at(place_.batch, place.head, place.query);
  const std::int64_t width = p_.value.dims[3];
  if (factor == 0.0F || sum == 0.0F) {
    std::fill_n(target, width, 0.0F);  // whatever the other one is, NaN included
  } else {
    std::int64_t c = 0;
    for (; c + 4 <= width; c += 4) {
      simd::store(target + c, simd::load(source + c) * simd::splat(inverse) * simd::splat(factor));
    }
    for (; c < width; ++c) target[c] = source[c] * inverse * factor;
  }
  if (p_.weights == nullptr) return;
  const std::int64_t kv_length = p_.value.dims[2];
  float* weights = p_.weights + flat_row(row) * kv_length;
  const float maximum = maximum_[row];
  std::int64_t j = 0;
  for (; j + 4 <= kv_length; j += 4) {
    const F32x4 shifted =
        (simd::load(weights + j) - simd::splat(maximum)) * simd::splat(kernels::kLog2E);
    simd::store(weights + j, kernels::exp2_nonpositive(shifted) * simd::splat(inverse));
  }
  for (; j < kv_length; ++j) {
    const F32x4 shifted = simd::splat((weights[j] - maximum) * kernels::kLog2E);
    weights[j] = kernels::exp2_nonpositive(shifted).get(0) * inverse;
  }
}

void Block::run() {
  load_rows();
  const std::int64_t kv_length = p_.value.dims[2];
  std::int64_t first = raw_scores_ ? 0 : kv_length;
  std::int64_t last = raw_scores_ ? kv_length : 0;
  for (std::int64_t row = 0; row < count_; ++row) {
    if (rows_[row].visible.first < rows_[row].visible.last) {
      first = std::min(first, rows_[row].visible.first);
      last = std::max(last, rows_[row].visible.last);
    }
    // What no tile reaches is hidden.
    const std::int64_t start = flat_row(row) * kv_length;
    if (p_.scores_point == ScoresPoint::kBiased) {
      std::fill_n(p_.scores + start, kv_length, kHidden);
    }
    if (p_.weights != nullptr) std::fill_n(p_.weights + start, kv_length, kHidden);
  }
  first = first / layout_.tile_keys * layout_.tile_keys;
  for (std::int64_t key = first; key < last; key += layout_.tile_keys) {
    load_tile(key);
    for (std::int64_t row = 0; row < count_;) {
      row +=
          kernels::with_rows<kTileRows>(count_ - row, [&]<int Rows>() { process_rows<Rows>(row); });
    }
  }
  for (std::int64_t row = 0; row < count_; ++row) finish_row(row);
}

// Packing a tile of keys costs as much as some 7 rows of products with it.
constexpr std::int64_t kBlockRows = 384;
constexpr std::int64_t kBlockFloats = 128 * 1024;
// With threads, smaller blocks where there would be few: the threads wait for each other's last
// one.
constexpr std::int64_t kBlocksPerThread = 12;
constexpr std::int64_t kLeastRowsToShare = 96;

}  // namespace

AttentionBlockLayout attention_block_layout(const AttentionProblem& problem) {
  AttentionBlockLayout layout;
  layout.head_dim = problem.query.dims[3];
  layout.value_width = (problem.value.dims[3] + 7) / 8 * 8;
  const std::int64_t widest = std::max(layout.head_dim, layout.value_width);
  // A tile of keys and one of values stay in a first-level cache of 32 KB.
  layout.tile_keys = widest <= 64 ? 64 : (widest <= 128 ? 32 : 16);
  const std::int64_t group = problem.query.dims[1] / problem.value.dims[1];
  const std::int64_t fitting = kBlockFloats / (layout.head_dim + layout.value_width);
  const std::int64_t wanted = std::clamp<std::int64_t>(fitting, 2 * kTileRows, kBlockRows);
  // Blocks of equal size, in whole register tiles; at least one query of every head of the group.
  const std::int64_t queries = std::max<std::int64_t>(problem.query.dims[2], 1);
  std::int64_t most = std::max<std::int64_t>(wanted / group, 1);
  if (thread_count() > 1) {
    const std::int64_t all_queries = problem.query.dims[0] * problem.value.dims[1] * queries;
    const std::int64_t share = all_queries / (kBlocksPerThread * thread_count());
    most = std::min(most, std::max({share, kLeastRowsToShare / group, std::int64_t{1}}));
  }
  const std::int64_t blocks = (queries + most - 1) / most;
  const std::int64_t even = (queries + blocks - 1) / blocks;
  const std::int64_t whole = (even + kTileRows - 1) / kTileRows * kTileRows;
  layout.rows = group * std::min(most < kTileRows ? even : whole, queries);
  return layout;
}

void attention_block(const AttentionProblem& problem, const AttentionBlockLayout& layout,
                     const AttentionBlockPlace& place, float* workspace) {
  Block(problem, layout, place, workspace).run();
}

}  // namespace headwise
