#include "headwise/analysis/token_loss.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/elementary.hpp"
#include "kernels/simd.hpp"
#include "text.hpp"

namespace headwise::analysis {
namespace {

using simd::F32x4;

// log(sum(exp(x))), `most` being the largest of them.
double log_sum_exp(const float* x, std::int64_t count, float most) {
  const kernels::Exp2NonPositive exp2;
  const F32x4 most4 = simd::splat(most);
  const F32x4 log2e = simd::splat(kernels::kLog2E);
  F32x4 sum4 = simd::splat(0.0F);
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) sum4 += exp2((simd::load(x + i) - most4) * log2e);
  double sum = simd::horizontal_sum(sum4);
  for (; i < count; ++i) sum += std::exp(double{x[i]} - most);
  return std::log(sum) + most;
}

// Whether the label is the first of the largest, the ids `never` aside. Among numbers that are none
// nothing is the largest.
bool is_chosen(const float* x, std::int64_t count, std::int32_t label,
               std::span<const std::int32_t> never) {
  const auto may_be = [&](std::int64_t id) {
    return std::ranges::find(never, static_cast<std::int32_t>(id)) == never.end();
  };
  if (!may_be(label)) return false;
  for (std::int64_t id = 0; id < count; ++id) {
    if (id == label && !std::isnan(x[label])) continue;
    const bool smaller = id < label ? x[id] < x[label] : x[id] <= x[label];
    if (!smaller && may_be(id)) return false;
  }
  return true;
}

}  // namespace

Status token_loss(const Tensor<const float, 3>& logits, const std::int32_t* labels,
                  std::span<const std::int32_t> never, float* losses, float* right) {
  const auto [batch, length, vocabulary] = logits.dims;
  for (std::int64_t b = 0; b < batch; ++b) {
    double loss = 0.0;
    std::int64_t chosen = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int32_t label = labels[b * length + i];
      if (label == -1) continue;
      if (label < 0 || label >= vocabulary) {
        return Status::invalid("labels", "ids from 0 to " + text(vocabulary - 1),
                               text(std::int64_t{label}));
      }
      const float* row = logits.at(b, i);
      const float most = *std::max_element(row, row + vocabulary);
      loss += log_sum_exp(row, vocabulary, most) - row[label];
      chosen += is_chosen(row, vocabulary, label, never) ? 1 : 0;
    }
    losses[b] = static_cast<float>(loss);
    right[b] = static_cast<float>(chosen);
  }
  return {};
}

}  // namespace headwise::analysis
