#include "headwise/analysis/head_roles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/tensors.hpp"

namespace headwise::analysis {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

bool is_text(TokenKind kind) { return kind <= TokenKind::kPunctuation; }

int offset_of(int place) { return place < 5 ? place - 5 : place - 4; }

template <class T>
Status zeros(Buffer<T>* buffer, std::int64_t size) {
  HEADWISE_RETURN_IF_ERROR(buffer->allocate(size, "sentences"));
  std::fill_n(buffer->data(), size, T{0});
  return {};
}

float share(double part, double whole) {
  return whole > 0.0 ? static_cast<float>(part / whole) : kNone;
}

}  // namespace

struct HeadRoles::Sentence {
  std::int64_t first_word, words, half, length;
  const std::int32_t* token_words;
  const TokenKind* kinds;
  const std::int32_t* ids;
};

Status HeadRoles::begin(const TreeList& trees, std::int64_t layers, std::int64_t heads,
                        bool predictions) {
  trees_ = trees;
  relations = trees.relations;
  heads_ = heads;
  all_heads = layers * heads;
  columns_ = 2 * all_heads;
  const std::int64_t cells = relations * columns_;
  HEADWISE_RETURN_IF_ERROR(take({{&selection, cells},
                                 {&accuracy, cells},
                                 {&low, cells},
                                 {&high, cells},
                                 {&gain_low, cells},
                                 {&gain_high, cells},
                                 {&baselines, relations * 3},
                                 {&means, kMeasures * all_heads},
                                 {&errors, kMeasures * all_heads},
                                 {&measured_rows, kMeasures}}));
  for (Buffer<float>* bound : {&low, &high, &gain_low, &gain_high}) {
    std::fill_n(bound->data(), cells, kNone);
  }
  HEADWISE_RETURN_IF_ERROR(zeros(&judged, relations * 2));
  HEADWISE_RETURN_IF_ERROR(zeros(&hits_, 2 * cells));
  HEADWISE_RETURN_IF_ERROR(zeros(&offset_hits_, 2 * relations * kOffsets));
  HEADWISE_RETURN_IF_ERROR(zeros(&measure_sums_, kMeasures * all_heads * 3));
  for (auto& sums : measure_rows_) std::fill_n(sums, 3, 0.0);
  if (predictions) {
    const std::int64_t size = trees.offsets[trees.sentences] * columns_;
    HEADWISE_RETURN_IF_ERROR(predicted.allocate(size, "predictions"));
    std::fill_n(predicted.data(), size, std::int16_t{-1});
  }
  return take_rows();
}

// A row for each relation of each sentence of the report half; those of a relation lie together.
Status HeadRoles::take_rows() {
  const std::int64_t words = trees_.offsets[trees_.sentences];
  HEADWISE_RETURN_IF_ERROR(word_rows_.allocate(words, "sentences"));
  HEADWISE_RETURN_IF_ERROR(zeros(&first_rows_, relations + 1));
  Buffer<std::int64_t> next;
  Buffer<std::int32_t> last_sentences;
  HEADWISE_RETURN_IF_ERROR(next.allocate(relations, "sentences"));
  HEADWISE_RETURN_IF_ERROR(last_sentences.allocate(relations, "sentences"));
  for (const bool counting : {true, false}) {
    std::fill_n(last_sentences.data(), relations, -1);
    std::int32_t place = -1;  // among the sentences of the report half
    for (std::int64_t s = 0; s < trees_.sentences; ++s) {
      place += trees_.halves[s] == 2 ? 1 : 0;
      for (std::int64_t w = trees_.offsets[s]; w < trees_.offsets[s + 1]; ++w) {
        word_rows_[w] = -1;
        if (trees_.halves[s] != 2 || trees_.heads[w] < 0) continue;
        const std::int64_t relation = trees_.relation_ids[w];
        const bool is_new = last_sentences[relation] != place;
        last_sentences[relation] = place;
        if (counting) {
          first_rows_[relation + 1] += is_new ? 1 : 0;
        } else {
          if (is_new) row_sentences_[next[relation]++] = place;
          word_rows_[w] = static_cast<std::int32_t>(next[relation] - 1);
        }
      }
    }
    report_sentences_ = place + 1;
    if (!counting) break;
    for (std::int64_t r = 0; r < relations; ++r) {
      first_rows_[r + 1] += first_rows_[r];
      next[r] = first_rows_[r];
    }
    HEADWISE_RETURN_IF_ERROR(row_sentences_.allocate(first_rows_[relations], "sentences"));
  }
  const std::int64_t rows = first_rows_[relations];
  HEADWISE_RETURN_IF_ERROR(zeros(&row_counts_, rows));
  HEADWISE_RETURN_IF_ERROR(zeros(&row_hits_, rows * columns_));
  return zeros(&row_offsets_, rows * kOffsets);
}

Status HeadRoles::judge(std::int64_t layer, const float* patterns, const TokenBatch& tokens) {
  const std::int64_t square = tokens.length * tokens.length;
  for (std::int64_t b = 0; b < tokens.batch; ++b) {
    const std::int64_t s = tokens.sentences[b];
    const std::int64_t first = trees_.offsets[s];
    const Sentence sentence{first,
                            trees_.offsets[s + 1] - first,
                            trees_.halves[s] - 1,
                            tokens.length,
                            tokens.words + b * tokens.length,
                            tokens.kinds + b * tokens.length,
                            tokens.ids + b * tokens.length};
    HEADWISE_RETURN_IF_ERROR(token_counts_.reserve(sentence.words, "sentences"));
    HEADWISE_RETURN_IF_ERROR(map_.reserve(sentence.words * sentence.words, "sentences"));
    std::fill_n(token_counts_.data(), sentence.words, 0);
    for (std::int64_t i = 0; i < tokens.length; ++i) {
      if (sentence.token_words[i] >= 0) ++token_counts_[sentence.token_words[i]];
    }
    count_measures(sentence);
    if (layer == 0) count_words(sentence);
    for (std::int64_t h = 0; h < heads_; ++h) {
      const float* pattern = patterns + (b * heads_ + h) * square;
      const std::int64_t column = layer * heads_ + h;
      map_words(sentence, pattern);
      predict(sentence, column);
      measure(sentence, pattern, column);
    }
  }
  return {};
}

// What does not depend on the head: how many dependents are judged, and what the offsets get right.
void HeadRoles::count_words(const Sentence& sentence) {
  for (std::int64_t d = 0; d < sentence.words; ++d) {
    const std::int64_t word = sentence.first_word + d;
    const std::int32_t head = trees_.heads[word];
    if (head < 0 || token_counts_[d] == 0 || token_counts_[head] == 0) continue;
    const std::int64_t relation = trees_.relation_ids[word];
    const std::int32_t row = word_rows_[word];
    judged[relation * 2 + sentence.half] += 1.0F;
    if (row >= 0) row_counts_[row] += 1.0F;
    for (int place = 0; place < kOffsets; ++place) {
      if (d + offset_of(place) != head) continue;
      offset_hits_[(sentence.half * relations + relation) * kOffsets + place] += 1.0F;
      if (row >= 0) ++row_offsets_[row * kOffsets + place];
    }
  }
}

void HeadRoles::map_words(const Sentence& sentence, const float* pattern) {
  const std::int64_t words = sentence.words;
  std::fill_n(map_.data(), words * words, 0.0);
  for (std::int64_t i = 0; i < sentence.length; ++i) {
    const std::int32_t from = sentence.token_words[i];
    if (from < 0) continue;
    double* row = map_.data() + from * words;
    for (std::int64_t j = 0; j < sentence.length; ++j) {
      const std::int32_t to = sentence.token_words[j];
      if (to >= 0) row[to] += pattern[i * sentence.length + j];
    }
  }
  for (std::int64_t from = 0; from < words; ++from) {
    if (token_counts_[from] < 2) continue;
    for (std::int64_t to = 0; to < words; ++to) map_[from * words + to] /= token_counts_[from];
  }
}

void HeadRoles::predict(const Sentence& sentence, std::int64_t column) {
  const std::int64_t words = sentence.words;
  for (std::int64_t d = 0; d < words; ++d) {
    const std::int64_t word = sentence.first_word + d;
    const std::int32_t head = trees_.heads[word];
    if (head < 0 || token_counts_[d] == 0 || token_counts_[head] == 0) continue;
    const std::int64_t relation = trees_.relation_ids[word];
    const std::int32_t row = word_rows_[word];
    for (const std::int64_t direction : {0, 1}) {
      std::int64_t best = -1;
      double most = 0.0;
      for (std::int64_t other = 0; other < words; ++other) {
        if (other == d || token_counts_[other] == 0) continue;
        const double weight = map_[direction == 0 ? d * words + other : other * words + d];
        if (best >= 0 && !(weight > most)) continue;
        best = other;
        most = weight;
      }
      const std::int64_t cell = direction * all_heads + column;
      if (predicted.data() != nullptr) {
        predicted[word * columns_ + cell] = static_cast<std::int16_t>(best);
      }
      if (best != head) continue;
      hits_[(sentence.half * relations + relation) * columns_ + cell] += 1.0F;
      if (row >= 0) ++row_hits_[row * columns_ + cell];
    }
  }
}

// How many rows of the sentence each measure has.
void HeadRoles::count_measures(const Sentence& sentence) {
  std::fill_n(sentence_rows_, kMeasures, 0.0);
  const auto text_at = [&](std::int64_t i) {
    return i >= 0 && i < sentence.length && is_text(sentence.kinds[i]);
  };
  for (std::int64_t i = 0; i < sentence.length; ++i) {
    if (!text_at(i)) continue;
    bool repeated = false;
    for (std::int64_t j = 0; j < sentence.length; ++j) {
      repeated |= j != i && text_at(j) && sentence.ids[j] == sentence.ids[i];
    }
    for (double& rows : sentence_rows_) rows += 1.0;
    sentence_rows_[0] -= text_at(i - 1) ? 0.0 : 1.0;
    sentence_rows_[1] -= text_at(i + 1) ? 0.0 : 1.0;
    sentence_rows_[6] -= repeated ? 0.0 : 1.0;
  }
}

void HeadRoles::measure(const Sentence& sentence, const float* pattern, std::int64_t column) {
  double sums[kMeasures] = {};
  for (std::int64_t i = 0; i < sentence.length; ++i) {
    if (!is_text(sentence.kinds[i])) continue;
    const float* row = pattern + i * sentence.length;
    double by_kind[5] = {};
    for (std::int64_t j = 0; j < sentence.length; ++j) {
      const double weight = row[j];
      by_kind[static_cast<int>(sentence.kinds[j])] += weight;
      if (weight > 0.0) sums[7] -= weight * static_cast<double>(std::log(row[j]));
      if (j != i && is_text(sentence.kinds[j]) && sentence.ids[j] == sentence.ids[i]) {
        sums[6] += weight;
      }
    }
    if (i > 0 && is_text(sentence.kinds[i - 1])) sums[0] += row[i - 1];
    if (i + 1 < sentence.length && is_text(sentence.kinds[i + 1])) sums[1] += row[i + 1];
    sums[2] += by_kind[static_cast<int>(TokenKind::kFirst)];
    sums[3] += by_kind[static_cast<int>(TokenKind::kSeparator)];
    sums[4] += by_kind[static_cast<int>(TokenKind::kPunctuation)];
    sums[5] += row[i];
  }
  for (int m = 0; m < kMeasures; ++m) {
    double* total = measure_sums_.data() + (m * all_heads + column) * 3;
    total[0] += sums[m];
    total[1] += sums[m] * sums[m];
    total[2] += sums[m] * sentence_rows_[m];
    if (column != 0 || sentence_rows_[m] == 0.0) continue;
    measure_rows_[m][0] += 1.0;
    measure_rows_[m][1] += sentence_rows_[m];
    measure_rows_[m][2] += sentence_rows_[m] * sentence_rows_[m];
  }
}

int HeadRoles::best_offset(std::int64_t relation) const {
  const float* hits = offset_hits_.data() + relation * kOffsets;  // of the selection half
  return static_cast<int>(std::max_element(hits, hits + kOffsets) - hits);
}

void HeadRoles::summarise() {
  for (std::int64_t r = 0; r < relations; ++r) {
    for (std::int64_t c = r * columns_; c < (r + 1) * columns_; ++c) {
      selection[c] = share(hits_[c], judged[2 * r]);
      accuracy[c] = share(hits_[relations * columns_ + c], judged[2 * r + 1]);
    }
    const int offset = best_offset(r);
    const float* offsets = offset_hits_.data() + r * kOffsets + offset;
    baselines[3 * r] = static_cast<float>(offset_of(offset));
    baselines[3 * r + 1] = share(offsets[0], judged[2 * r]);
    baselines[3 * r + 2] = share(offsets[relations * kOffsets], judged[2 * r + 1]);
  }
  // The mean is a ratio of sums over sentences; its error by linearisation (Cochran 1977, 6.4).
  for (int m = 0; m < kMeasures; ++m) {
    const auto [sentences, rows, squared_rows] = measure_rows_[m];
    measured_rows[m] = static_cast<float>(rows);
    for (std::int64_t h = 0; h < all_heads; ++h) {
      const double* sums = measure_sums_.data() + (m * all_heads + h) * 3;
      const double mean = sums[0] / rows;
      const double spread =
          std::max(sums[1] - 2.0 * mean * sums[2] + mean * mean * squared_rows, 0.0);
      means[m * all_heads + h] = rows > 0.0 ? static_cast<float>(mean) : kNone;
      errors[m * all_heads + h] =
          sentences > 1.0
              ? static_cast<float>(std::sqrt(spread * sentences / (sentences - 1.0)) / rows)
              : kNone;
    }
  }
}

Status HeadRoles::begin_intervals(std::int64_t resamples, std::uint64_t seed) {
  relation_ = -1;
  gains_ = true;
  return bootstrap_.begin(report_sentences_, resamples, seed);
}

void HeadRoles::fill_values(std::int64_t relation, bool less_baseline) {
  const int offset = best_offset(relation);
  for (std::int64_t row = first_rows_[relation]; row < first_rows_[relation + 1]; ++row) {
    const float baseline = less_baseline ? row_offsets_[row * kOffsets + offset] : 0.0F;
    float* values = values_.data() + (row - first_rows_[relation]) * columns_;
    for (std::int64_t c = 0; c < columns_; ++c)
      values[c] = row_hits_[row * columns_ + c] - baseline;
  }
}

Status HeadRoles::step(bool* done) {
  bool finished = relation_ < 0;
  if (!finished) HEADWISE_RETURN_IF_ERROR(bootstrap_.step(&finished));
  *done = relations == 0;
  if (!finished || *done) return {};
  // On to the gains of this relation, or to the next relation.
  gains_ = !gains_;
  if (!gains_ && ++relation_ == relations) {
    *done = true;
    return {};
  }
  const std::int64_t first = first_rows_[relation_];
  const std::int64_t rows = first_rows_[relation_ + 1] - first;
  HEADWISE_RETURN_IF_ERROR(values_.reserve(rows * columns_, "sentences"));
  fill_values(relation_, gains_);
  const std::int64_t cell = relation_ * columns_;
  return bootstrap_.start(rows, columns_, row_sentences_.data() + first, values_.data(),
                          row_counts_.data() + first, (gains_ ? gain_low : low).data() + cell,
                          (gains_ ? gain_high : high).data() + cell);
}

}  // namespace headwise::analysis
