#include "headwise/analysis/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "analysis/tensors.hpp"
#include "heap_sort.hpp"
#include "kernels/simd.hpp"
#include "random_numbers.hpp"
#include "text.hpp"

namespace headwise::analysis {
namespace {

// Multiply-adds of a slice: some 20 ms.
constexpr std::int64_t kSliceProducts = std::int64_t{1} << 26;

void add_multiple(const float* x, float factor, std::int64_t count, float* sum) {
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    simd::store(sum + i, simd::load(sum + i) + simd::load(x + i) * simd::splat(factor));
  }
  for (; i < count; ++i) sum[i] += x[i] * factor;
}

// Between the two sorted values around the place, as NumPy's default does.
float quantile(const float* sorted, std::int64_t count, double q) {
  const double place = q * static_cast<double>(count - 1);
  const auto below = static_cast<std::int64_t>(place);
  const std::int64_t above = std::min(below + 1, count - 1);
  const double share = place - static_cast<double>(below);
  return static_cast<float>(sorted[below] + share * (double{sorted[above]} - sorted[below]));
}

}  // namespace

Status Bootstrap::begin(std::int64_t samples, std::int64_t resamples, std::uint64_t seed) {
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  if (resamples < 1 || resamples > kMost) {
    return Status::invalid("resamples", "an integer from 1 to " + text(kMost), text(resamples));
  }
  samples_ = samples;
  resamples_ = resamples;
  HEADWISE_RETURN_IF_ERROR(times_.allocate(samples * resamples, "resamples"));
  std::fill_n(times_.data(), samples * resamples, std::uint16_t{0});
  RandomNumbers random(seed);
  for (std::int64_t b = 0; b < resamples; ++b) {
    for (std::int64_t i = 0; i < samples; ++i) ++times_[b * samples + random.below(samples)];
  }
  return take({{&totals_, resamples}, {&sorted_, resamples}});
}

Status Bootstrap::start(std::int64_t rows, std::int64_t columns, const std::int32_t* ids,
                        const float* values, const float* counts, float* low, float* high) {
  rows_ = rows;
  columns_ = columns;
  ids_ = ids;
  values_ = values;
  counts_ = counts;
  low_ = low;
  high_ = high;
  next_ = 0;
  HEADWISE_RETURN_IF_ERROR(sums_.reserve(resamples_ * columns, "resamples"));
  std::fill_n(sums_.data(), resamples_ * columns, 0.0F);
  return {};
}

void Bootstrap::draw(std::int64_t resample) {
  const std::uint16_t* times = times_.data() + resample * samples_;
  float* sums = sums_.data() + resample * columns_;
  float total = 0.0F;
  for (std::int64_t row = 0; row < rows_; ++row) {
    const std::uint16_t drawn = times[ids_ == nullptr ? row : ids_[row]];
    if (drawn == 0) continue;
    total += static_cast<float>(drawn) * counts_[row];
    add_multiple(values_ + row * columns_, drawn, columns_, sums);
  }
  totals_[resample] = total;
}

void Bootstrap::find_quantiles() {
  for (std::int64_t c = 0; c < columns_; ++c) {
    std::int64_t count = 0;
    for (std::int64_t b = 0; b < resamples_; ++b) {
      const float ratio = sums_[b * columns_ + c] / totals_[b];
      if (!std::isnan(ratio)) sorted_[count++] = ratio;  // else a draw without any
    }
    low_[c] = high_[c] = std::numeric_limits<float>::quiet_NaN();
    if (count == 0) continue;
    heap_sort(std::span(sorted_.data(), static_cast<std::size_t>(count)));
    low_[c] = quantile(sorted_.data(), count, 0.025);
    high_[c] = quantile(sorted_.data(), count, 0.975);
  }
}

Status Bootstrap::step(bool* done) {
  *done = next_ == resamples_;
  if (*done) {
    find_quantiles();
    return {};
  }
  const std::int64_t cost = std::max<std::int64_t>(rows_ * columns_, 1);
  const std::int64_t draws = std::max<std::int64_t>(kSliceProducts / cost, 1);
  for (std::int64_t end = std::min(next_ + draws, resamples_); next_ < end; ++next_) draw(next_);
  return {};
}

}  // namespace headwise::analysis
