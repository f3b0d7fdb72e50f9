// The same operations in double precision, written for reading: the truth that every kernel is
// tested against. Nothing here is fast. (reference::attention stands in attention.hpp.)
#pragma once

#include <cstdint>
#include <vector>

#include "headwise/attention.hpp"
#include "headwise/multi_head_attention.hpp"
#include "headwise/rotary.hpp"

namespace headwise::reference {

// y [N, out] = x [N, in] W^T + b; weight [out, in]; bias [out] or null. All contiguous.
void linear(const double* x, const double* weight, const double* bias, std::int64_t rows,
            std::int64_t in, std::int64_t out, double* y);

// x, y [N, D]; weight, bias [D]; scale [N] and normalized [N, D] or null.
void layer_norm(const double* x, const double* weight, const double* bias, double epsilon,
                std::int64_t rows, std::int64_t width, double* y, double* scale,
                double* normalized);

// x * Phi(x), by std::erfc.
double gelu(double x);

// One row of `count`; a row of nothing but -infinity gives zeros.
void softmax(const double* x, std::int64_t count, double* y);

// y [count, width] = row ids[i] of table [.., width].
void embedding(const double* table, std::int64_t width, const std::int32_t* ids, std::int64_t count,
               double* y);

// Turns x [S, D] in place, row s by positions[s].
void rotary(const RotaryConfig& config, std::int64_t head_dim, const std::int32_t* positions,
            std::int64_t length, double* x);

struct MultiHeadAttentionValues {
  std::vector<double> output;   // [B, Sq, dModel]
  std::vector<double> weights;  // [B, Hq, Sq, Skv]
  std::vector<double> heads;    // [B, Hq, Sq, dModel]
};

// The whole layer on float32 weights given one by one, without a cache. Projected heads are rounded
// to float32, since reference::attention takes those.
Status multi_head_attention(const MultiHeadAttentionConfig& config,
                            const MultiHeadAttentionWeights& weights,
                            const MultiHeadAttentionCall& call, MultiHeadAttentionValues* result);

}  // namespace headwise::reference
