// The op in double precision, one row at a time, in the order of its definition. It stays for ever:
// every kernel is tested against it. No tiles, no vectors, no shortcuts.
#include <cmath>
#include <cstdint>
#include <limits>

#include "attention_visibility.hpp"
#include "headwise/attention.hpp"

namespace headwise::reference {
namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

struct Row {
  std::int64_t b, h, query;
};

double dot(const float* a, const float* b, std::int64_t size) {
  double sum = 0.0;
  for (std::int64_t d = 0; d < size; ++d) sum += static_cast<double>(a[d]) * b[d];
  return sum;
}

double key_element_dot(const AttentionProblem& p, const Row& row, std::int64_t key) {
  const std::int64_t kv_head = row.h / (p.query.dims[1] / p.value.dims[1]);
  const float* query = p.query.at(row.b, row.h, row.query);
  if (p.key_panels == nullptr) return dot(query, p.key.at(row.b, kv_head, key), p.query.dims[3]);
  const float* panel = p.key_panels + row.b * p.key_panel_stride_b +
                       kv_head * p.key_panel_stride_h + key / 8 * 8 * p.query.dims[3] + key % 8;
  double sum = 0.0;
  for (std::int64_t d = 0; d < p.query.dims[3]; ++d) {
    sum += static_cast<double>(query[d]) * panel[d * 8];
  }
  return sum;
}

// Step 1 to 6 for one row; `kept` receives the scores at the asked point.
void row_scores(const AttentionProblem& p, const Row& row, double* scores, double* kept) {
  const std::int64_t kv_length = p.value.dims[2];
  const KeyInterval visible = visible_interval(p, row.b, row.query);
  const std::int64_t mask_start = mask_row(p.mask, row.b, row.h, row.query);
  for (std::int64_t j = 0; j < kv_length; ++j) {
    double score = static_cast<double>(p.scale) * key_element_dot(p, row, j);
    if (kept != nullptr && p.scores_point == ScoresPoint::kScaled) kept[j] = score;
    if (p.softcap > 0.0F) score = p.softcap * std::tanh(score / p.softcap);
    if (kept != nullptr && p.scores_point == ScoresPoint::kSoftcapped) kept[j] = score;
    bool hidden = j < visible.first || j >= visible.last;
    if (!hidden && p.key_mask != nullptr) hidden = p.key_mask[row.b * kv_length + j] == 0;
    if (!hidden && p.mask.allowed != nullptr) {
      hidden = p.mask.allowed[mask_start + j * p.mask.strides[3]] == 0;
    }
    if (!hidden && p.mask.bias != nullptr) {
      const double bias = p.mask.bias[mask_start + j * p.mask.strides[3]];
      hidden = bias == kHidden;
      score += bias;
    }
    scores[j] = hidden ? kHidden : score;
    if (kept != nullptr && p.scores_point == ScoresPoint::kBiased) kept[j] = scores[j];
  }
}

// Step 7 in place: a score of -infinity weighs nothing, a row of nothing else is all zeros.
void softmax_row(double* scores, std::int64_t size) {
  double maximum = kHidden;
  for (std::int64_t j = 0; j < size; ++j) {
    if (scores[j] > maximum) maximum = scores[j];
  }
  double sum = 0.0;
  for (std::int64_t j = 0; j < size; ++j) {
    scores[j] = scores[j] == kHidden ? 0.0 : std::exp(scores[j] - maximum);
    sum += scores[j];
  }
  if (sum == 0.0) return;
  for (std::int64_t j = 0; j < size; ++j) scores[j] /= sum;
}

}  // namespace

Status attention(const AttentionProblem& p, double* output, double* scores, double* weights) {
  const std::int64_t kv_length = p.value.dims[2];
  const std::int64_t value_dim = p.value.dims[3];
  const std::int64_t group = p.query.dims[1] / p.value.dims[1];
  Buffer<double> row;
  Buffer<bool> seen;
  HEADWISE_RETURN_IF_ERROR(row.allocate(kv_length, "reference"));
  HEADWISE_RETURN_IF_ERROR(seen.allocate(kv_length, "reference"));
  std::int64_t index = 0;
  for (std::int64_t b = 0; b < p.query.dims[0]; ++b) {
    for (std::int64_t h = 0; h < p.query.dims[1]; ++h) {
      for (std::int64_t i = 0; i < p.query.dims[2]; ++i, ++index) {
        row_scores(p, {b, h, i}, row.data(), scores ? scores + index * kv_length : nullptr);
        bool anything = false;
        for (std::int64_t j = 0; j < kv_length; ++j) anything |= seen[j] = row[j] != kHidden;
        softmax_row(row.data(), kv_length);
        if (weights != nullptr) {
          for (std::int64_t j = 0; j < kv_length; ++j) {
            weights[index * kv_length + j] = row[j];
          }
        }
        if (output == nullptr) continue;
        const double factor = p.head_mask != nullptr ? p.head_mask[h] : 1.0;
        for (std::int64_t c = 0; c < value_dim; ++c) {
          double sum = 0.0;
          for (std::int64_t j = 0; j < kv_length; ++j) {
            if (seen[j]) sum += row[j] * *p.value.at(b, h / group, j, c);
          }
          // A head switched off or a row that sees nothing: zero, whatever the other one is.
          output[index * value_dim + c] = factor == 0.0 || !anything ? 0.0 : factor * sum;
        }
      }
    }
  }
  return {};
}

}  // namespace headwise::reference
