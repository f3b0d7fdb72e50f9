#include "headwise/analysis/tile_trace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/elementary.hpp"
#include "text.hpp"

namespace headwise::analysis {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

// e^x for x <= 0 as the kernels compute it, -infinity included.
float exponential(float x) {
  return kernels::exp2_nonpositive(simd::splat(x * kernels::kLog2E)).get(0);
}

std::int64_t tiles_of(std::int64_t length, std::int64_t tile) { return (length + tile - 1) / tile; }

Status check_matrix(const TensorArgument& tensor, const char* name, const char* expected) {
  if (tensor.rank == 2 && tensor.dims[0] >= 1 && tensor.dims[1] >= 1) return {};
  return Status::invalid(name, expected, shape_text(tensor.dims, tensor.rank));
}

Status check_equal(std::int64_t received, std::int64_t expected, const char* name,
                   const char* what) {
  if (received == expected) return {};
  return Status::invalid(name, what + text(expected), text(received));
}

Status check_tile(std::int64_t tile, const char* name) {
  if (tile >= 1) return {};
  return Status::invalid(name, "at least 1 row", text(tile));
}

Status validate(const TileTraceCall& call) {
  HEADWISE_RETURN_IF_ERROR(check_matrix(call.query, "query", "[Sq, D], at least 1 by 1"));
  HEADWISE_RETURN_IF_ERROR(check_matrix(call.key, "key", "[Skv, D], at least 1 by 1"));
  HEADWISE_RETURN_IF_ERROR(check_matrix(call.value, "value", "[Skv, Dv], at least 1 by 1"));
  HEADWISE_RETURN_IF_ERROR(
      check_equal(call.key.dims[1], call.query.dims[1], "key", "the width of the query, "));
  HEADWISE_RETURN_IF_ERROR(
      check_equal(call.value.dims[0], call.key.dims[0], "value", "one row for each key, "));
  HEADWISE_RETURN_IF_ERROR(check_tile(call.query_tile, "queryTile"));
  return check_tile(call.key_tile, "keyTile");
}

}  // namespace

Status TileTrace::prepare(const TileTraceCall& call) {
  HEADWISE_RETURN_IF_ERROR(validate(call));
  queries_ = call.query.dims[0];
  keys_ = call.key.dims[0];
  head_dim_ = call.query.dims[1];
  value_dim_ = call.value.dims[1];
  query_rows_ = std::min(call.query_tile, queries_);
  key_rows_ = std::min(call.key_tile, keys_);
  query_tiles_ = tiles_of(queries_, query_rows_);
  key_tiles_ = tiles_of(keys_, key_rows_);
  scale_ = static_cast<float>(call.scale.value_or(1.0 / std::sqrt(static_cast<double>(head_dim_))));

  const std::int64_t pairs = queries_ * keys_;
  HEADWISE_RETURN_IF_ERROR(scores_.allocate(pairs, "scores"));
  HEADWISE_RETURN_IF_ERROR(exponentials_.allocate(pairs, "exponentials"));
  for (Buffer<float>* state : {&maximum_, &sum_, &rescale_}) {
    HEADWISE_RETURN_IF_ERROR(state->allocate(key_tiles_ * queries_, "the state of each row"));
  }
  HEADWISE_RETURN_IF_ERROR(
      accumulated_.allocate(key_tiles_ * queries_ * value_dim_, "accumulated"));
  HEADWISE_RETURN_IF_ERROR(output_.allocate(queries_ * value_dim_, "output"));
  HEADWISE_RETURN_IF_ERROR(moved_.allocate(query_tiles_ * key_tiles_, "moved"));
  std::fill_n(scores_.data(), pairs, kHidden);
  std::fill_n(exponentials_.data(), pairs, 0.0F);
  return {};
}

// scores[query, first ... last) of what the query may see.
void TileTrace::score_row(const TileTraceCall& call, std::int64_t query, std::int64_t first,
                          std::int64_t last) {
  const float* q = call.query.data + query * head_dim_;
  if (call.causal) last = std::min(last, query + 1);
  for (std::int64_t key = first; key < last; ++key) {
    const float* k = call.key.data + key * head_dim_;
    float dot = 0.0F;
    for (std::int64_t d = 0; d < head_dim_; ++d) dot += q[d] * k[d];
    scores_[query * keys_ + key] = scale_ * dot;
  }
}

// The row's state goes on as it was: where it starts, and through tiles that it does not see.
void TileTrace::keep_row(std::int64_t query, std::int64_t key_tile) {
  const std::int64_t now = key_tile * queries_ + query;
  const bool first = key_tile == 0;
  maximum_[now] = first ? kHidden : maximum_[now - queries_];
  sum_[now] = first ? 0.0F : sum_[now - queries_];
  rescale_[now] = 1.0F;
  float* output = accumulated_.data() + now * value_dim_;
  if (first) {
    std::fill_n(output, value_dim_, 0.0F);
  } else {
    std::copy_n(output - queries_ * value_dim_, value_dim_, output);
  }
}

// The online softmax: a new maximum rescales what was gathered under the old one.
void TileTrace::update_row(const TileTraceCall& call, std::int64_t query, std::int64_t key_tile) {
  const std::int64_t now = key_tile * queries_ + query;
  const std::int64_t first = key_tile * key_rows_;
  const std::int64_t last = std::min(first + key_rows_, keys_);
  const float* scores = scores_.data() + query * keys_;
  const float before = maximum_[now];
  float top = before;
  bool seen = before != kHidden;
  for (std::int64_t key = first; key < last; ++key) {
    seen |= scores[key] != kHidden;
    top = std::max(top, scores[key]);  // a NaN is no larger, but reaches the sum
  }
  if (!seen) return;

  const float rescale = exponential(before - top);
  float sum = sum_[now] * rescale;
  float* output = accumulated_.data() + now * value_dim_;
  for (std::int64_t d = 0; d < value_dim_; ++d) output[d] *= rescale;
  for (std::int64_t key = first; key < last; ++key) {
    if (scores[key] == kHidden) continue;
    const float weight = exponential(scores[key] - top);
    const float* v = call.value.data + key * value_dim_;
    for (std::int64_t d = 0; d < value_dim_; ++d) output[d] += weight * v[d];
    exponentials_[query * keys_ + key] = weight;
    sum += weight;
  }
  maximum_[now] = top;
  sum_[now] = sum;
  rescale_[now] = rescale;
}

void TileTrace::finish_row(std::int64_t query) {
  const std::int64_t end = (key_tiles_ - 1) * queries_ + query;
  const float inverse = sum_[end] == 0.0F ? 0.0F : 1.0F / sum_[end];  // NaN stays NaN
  const float* gathered = accumulated_.data() + end * value_dim_;
  for (std::int64_t d = 0; d < value_dim_; ++d) {
    output_[query * value_dim_ + d] = gathered[d] * inverse;
  }
}

void TileTrace::visit_tile(const TileTraceCall& call, std::int64_t query_tile,
                           std::int64_t key_tile) {
  const std::int64_t first_query = query_tile * query_rows_;
  const std::int64_t last_query = std::min(first_query + query_rows_, queries_);
  const std::int64_t first_key = key_tile * key_rows_;
  const std::int64_t last_key = std::min(first_key + key_rows_, keys_);
  const bool skipped = call.causal && first_key >= last_query;
  const bool ends = key_tile == key_tiles_ - 1;

  // The queries are loaded once for all keys, and their output stored once behind the last.
  std::int64_t moved = 0;
  if (key_tile == 0) moved += (last_query - first_query) * head_dim_;
  if (!skipped) moved += (last_key - first_key) * (head_dim_ + value_dim_);
  if (ends) moved += (last_query - first_query) * value_dim_;
  moved_[query_tile * key_tiles_ + key_tile] = static_cast<float>(moved);

  for (std::int64_t query = first_query; query < last_query; ++query) {
    keep_row(query, key_tile);
    if (!skipped) {
      score_row(call, query, first_key, last_key);
      update_row(call, query, key_tile);
    }
    if (ends) finish_row(query);
  }
}

Status TileTrace::compute(const TileTraceCall& call) {
  HEADWISE_RETURN_IF_ERROR(prepare(call));
  for (std::int64_t query_tile = 0; query_tile < query_tiles_; ++query_tile) {
    for (std::int64_t key_tile = 0; key_tile < key_tiles_; ++key_tile) {
      visit_tile(call, query_tile, key_tile);
    }
  }
  return {};
}

}  // namespace headwise::analysis
