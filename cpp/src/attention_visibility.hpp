// Which keys a query may see: the interval that causal order, window and lengths leave, and the
// masks inside it. Used by the reference and the kernel alike, so that both mean the same.
#pragma once

#include <algorithm>
#include <cstdint>

#include "headwise/attention.hpp"

namespace headwise {

struct KeyInterval {
  std::int64_t first = 0;
  std::int64_t last = 0;  // one past
};

// Saturating, so that an offset near the end of the integers does not wrap.
inline std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

inline KeyInterval visible_interval(const AttentionProblem& problem, std::int64_t b,
                                    std::int64_t query) {
  const std::int64_t kv_length = problem.value.dims[2];
  const std::int64_t position = saturating_add(query, problem.position_offset(b));
  KeyInterval interval{0, kv_length};
  if (problem.causal) interval.last = std::min(interval.last, saturating_add(position, 1));
  if (problem.window_left >= 0) {
    interval.first = std::max(interval.first, saturating_add(position, -problem.window_left));
  }
  if (problem.window_right >= 0) {
    const std::int64_t end = saturating_add(saturating_add(position, problem.window_right), 1);
    interval.last = std::min(interval.last, end);
  }
  if (problem.kv_lengths != nullptr) {
    interval.last = std::min<std::int64_t>(interval.last, problem.kv_lengths[b]);
  }
  if (problem.mask.present()) interval.last = std::min(interval.last, problem.mask.key_length);
  interval.last = std::max<std::int64_t>(interval.last, 0);
  interval.first = std::min(interval.first, interval.last);
  return interval;
}

// Start of the mask row of (b, h, query); keys step by mask.strides[3].
inline std::int64_t mask_row(const AttentionMask& mask, std::int64_t b, std::int64_t h,
                             std::int64_t query) {
  return b * mask.strides[0] + h * mask.strides[1] + query * mask.strides[2];
}

}  // namespace headwise
