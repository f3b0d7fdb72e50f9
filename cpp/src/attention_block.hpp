// One task of the attention op: a block of query rows against all the keys they may see, tile by
// tile, with the online softmax. Holds no [Sq, Skv] buffer: per row a running maximum, a running
// sum and the output so far.
//
// Rows of the query heads that share a KV head stand in one block, so each key tile is loaded and
// packed once for all of them. Leaves out how blocks are chosen and who computes them
// (attention.cpp).
#pragma once

#include <cstdint>

#include "headwise/attention.hpp"
#include "kernels/tile.hpp"

namespace headwise {

// Sizes of a block's workspace; the same for every block of a problem.
struct AttentionBlockLayout {
  std::int64_t rows = 0;       // query rows at most, all heads of the group together
  std::int64_t tile_keys = 0;  // keys per tile, a multiple of 8
  std::int64_t head_dim = 0;
  std::int64_t value_width = 0;  // value head size rounded up to a multiple of 8

  std::int64_t floats() const {
    return rows * (head_dim + value_width + kRowStateFloats) +
           tile_keys * (head_dim + value_width + simd::kTileRows);
  }
  // Running maximum, four partial sums, and the row's interval and place (64-bit integers).
  static constexpr std::int64_t kRowStateFloats = 1 + 4 + 8;
};

AttentionBlockLayout attention_block_layout(const AttentionProblem& problem);

// Which rows: queries [first_query, first_query + queries) of every query head that reads kv_head.
struct AttentionBlockPlace {
  std::int64_t batch = 0, kv_head = 0, first_query = 0, queries = 0;
};

// `workspace` holds layout.floats() floats, 64-byte aligned.
void attention_block(const AttentionProblem& problem, const AttentionBlockLayout& layout,
                     const AttentionBlockPlace& place, float* workspace);

}  // namespace headwise
