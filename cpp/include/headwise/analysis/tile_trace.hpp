// Attention of one head by tiles, written down: what every row knows after each tile of keys.
//
// The arithmetic of the kernel (online softmax as in FlashAttention: a running maximum, a running
// sum, an output that is rescaled when the maximum moves), in an order that can be followed: a tile
// of queries after the other, each against one tile of keys and values after the other. Not fast,
// and it keeps what the kernel throws away; masks other than causal are left out.
#pragma once

#include <cstdint>
#include <optional>

#include "headwise/attention.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::analysis {

struct TileTraceCall {
  TensorArgument query;                       // [Sq, D]
  TensorArgument key;                         // [Skv, D]
  TensorArgument value;                       // [Skv, Dv]
  std::int64_t query_tile = 0, key_tile = 0;  // rows in a tile; larger than the length = all
  std::optional<double> scale;                // default 1 / sqrt(D)
  // Query i sees key j when j <= i; tiles of which no query sees a key are skipped.
  bool causal = false;
};

class TileTrace {
 public:
  // Judges the call, takes the memory, and computes all of it.
  Status compute(const TileTraceCall& call);

  std::int64_t queries() const { return queries_; }
  std::int64_t keys() const { return keys_; }
  std::int64_t value_dim() const { return value_dim_; }
  std::int64_t query_tiles() const { return query_tiles_; }
  std::int64_t key_tiles() const { return key_tiles_; }

  // [Sq, Skv]: scale * q . k; -infinity where it is hidden or its tile skipped.
  const float* scores() const { return scores_.data(); }
  // [Sq, Skv]: exp(score - maximum), by the maximum that the row knew when the tile was there.
  const float* exponentials() const { return exponentials_.data(); }
  // [key tiles, Sq]: after that tile of keys. -infinity, 0 and 1 before the first visible key.
  const float* maximum() const { return maximum_.data(); }
  const float* sum() const { return sum_.data(); }
  // What the sum and the output so far were multiplied by: exp(maximum before - maximum after).
  const float* rescale() const { return rescale_.data(); }
  // [key tiles, Sq, Dv]: the output after that tile, not yet divided by the sum.
  const float* accumulated() const { return accumulated_.data(); }
  // [Sq, Dv]: divided; zeros for a row that saw nothing.
  const float* output() const { return output_.data(); }
  // [query tiles, key tiles]: numbers loaded from and stored to slow memory in that step.
  const float* moved() const { return moved_.data(); }

 private:
  Status prepare(const TileTraceCall& call);
  void visit_tile(const TileTraceCall& call, std::int64_t query_tile, std::int64_t key_tile);
  void score_row(const TileTraceCall& call, std::int64_t query, std::int64_t first,
                 std::int64_t last);
  void update_row(const TileTraceCall& call, std::int64_t query, std::int64_t key_tile);
  void keep_row(std::int64_t query, std::int64_t key_tile);
  void finish_row(std::int64_t query);

  std::int64_t queries_ = 0, keys_ = 0, head_dim_ = 0, value_dim_ = 0;
  std::int64_t query_rows_ = 0, key_rows_ = 0;  // in a whole tile
  std::int64_t query_tiles_ = 0, key_tiles_ = 0;
  float scale_ = 1.0F;
  Buffer<float> scores_, exponentials_, maximum_, sum_, rescale_, accumulated_, output_, moved_;
};

}  // namespace headwise::analysis
