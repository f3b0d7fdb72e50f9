// How long work is cut, so that whoever called can look up in between.
#pragma once

#include <algorithm>
#include <cstdint>

namespace headwise {

// Multiply-adds of one slice: some 20 ms of 128-bit SIMD.
constexpr double kSliceCost = 4e8;

// How many pieces of a cost fill a slice; at least one.
inline std::int64_t pieces_in_slice(double piece_cost) {
  return std::max<std::int64_t>(static_cast<std::int64_t>(kSliceCost / std::max(piece_cost, 1.0)),
                                1);
}

}  // namespace headwise
