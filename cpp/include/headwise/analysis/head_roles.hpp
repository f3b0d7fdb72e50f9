// What heads do, after Clark et al. (2019), section 4: for each relation of dependency trees and
// each head, how often the word with most attention is the right one, beside the best fixed offset;
// and measures of where attention goes that need no trees. Streams over sentences: patterns come a
// layer of a batch at a time and are not kept, sums are; for the bootstrap also what each head got
// right in each sentence of the report half.
//
// From tokens to words: the weight to a word is the sum to its tokens, the weight from a word the
// mean from its tokens. A word's prediction is the first of the other words with the largest
// weight. Not judged: roots, and words that have no token or whose head has none.
#pragma once

#include <cstdint>

#include "headwise/analysis/bootstrap.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::analysis {

enum class TokenKind : std::int32_t {
  kText,
  kPunctuation,  // of the text, too
  kFirst,        // a special token at the start: [CLS]
  kSeparator,    // any other special token: [SEP]
  kPadding,
};

// The trees of all sentences: words one sentence after the other, indices within the sentence.
struct TreeList {
  std::int64_t sentences = 0, relations = 0;
  const std::int32_t* offsets = nullptr;       // [sentences + 1]: where the words of each begin
  const std::int32_t* heads = nullptr;         // [words]; below 0: not to be judged
  const std::int32_t* relation_ids = nullptr;  // [words], from 0 to relations - 1
  const std::uint8_t* halves = nullptr;        // [sentences]: 1 selection, 2 report
};

// The tokens of a batch [B, S] of these sentences.
struct TokenBatch {
  std::int64_t batch = 0, length = 0;
  const std::int32_t* sentences = nullptr;  // [B]
  const std::int32_t* words = nullptr;      // [B, S]: the word that a token belongs to, or -1
  const TokenKind* kinds = nullptr;         // [B, S]
  const std::int32_t* ids = nullptr;        // [B, S]: equal for tokens of the same form
};

class HeadRoles {
 public:
  static constexpr int kMeasures = 8;  // previous, next, first, separator, punctuation, self,
                                       // duplicate, entropy: see `measure` for their meaning
  static constexpr int kOffsets = 10;  // -5 ... 5 without 0

  // What the list points to stays until the end.
  Status begin(const TreeList& trees, std::int64_t layers, std::int64_t heads, bool predictions);
  // One layer's patterns [B, H, S, S] of a batch; each layer of each batch once, layer 0 first.
  Status judge(std::int64_t layer, const float* patterns, const TokenBatch& tokens);
  // When all is judged: the intervals.
  Status begin_intervals(std::int64_t resamples, std::uint64_t seed);
  Status step(bool* done);
  // Shares, means and errors of what has been judged so far. Heads are columns, layer * heads +
  // head, for each of two directions: dependent to head, head to dependent.
  void summarise();

  std::int64_t relations = 0, all_heads = 0;     // layers * heads
  Buffer<float> selection, accuracy;             // [relations, 2, all_heads]
  Buffer<float> low, high, gain_low, gain_high;  // [relations, 2, all_heads]
  Buffer<float> judged;                          // [relations, 2]: in either half
  Buffer<float> baselines;                       // [relations, 3]: offset, shares
  Buffer<float> means, errors;                   // [kMeasures, all_heads]
  Buffer<float> measured_rows;                   // [kMeasures]
  Buffer<std::int16_t> predicted;                // [words, 2, all_heads] or empty

 private:
  struct Sentence;  // one sentence of a batch, with its words

  Status take_rows();
  void count_words(const Sentence& sentence);
  void map_words(const Sentence& sentence, const float* pattern);
  void predict(const Sentence& sentence, std::int64_t column);
  void measure(const Sentence& sentence, const float* pattern, std::int64_t column);
  void count_measures(const Sentence& sentence);
  void fill_values(std::int64_t relation, bool less_baseline);
  int best_offset(std::int64_t relation) const;

  TreeList trees_;
  std::int64_t heads_ = 0, columns_ = 0;  // columns: 2 * all_heads
  // Rows are the (relation, sentence of the report half) that there are, by relation.
  Buffer<std::int32_t> word_rows_;      // [words]; -1: none
  Buffer<std::int64_t> first_rows_;     // [relations + 1]
  Buffer<std::int32_t> row_sentences_;  // [rows]: place among those of the report half
  Buffer<float> row_counts_;            // [rows]: dependents judged
  Buffer<std::uint16_t> row_hits_;      // [rows, columns]
  Buffer<std::uint16_t> row_offsets_;   // [rows, kOffsets]
  std::int64_t report_sentences_ = 0;
  Buffer<float> hits_;                      // [2 halves, relations, columns]
  Buffer<float> offset_hits_;               // [2 halves, relations, kOffsets]
  Buffer<double> measure_sums_;             // [kMeasures, all_heads, 3]: x, x x, x rows
  double measure_rows_[kMeasures][3] = {};  // sentences, rows, rows rows
  // Of the sentence at hand.
  Buffer<std::int32_t> token_counts_;  // [words]
  Buffer<double> map_;                 // [words, words]
  double sentence_rows_[kMeasures] = {};

  Bootstrap bootstrap_;
  Buffer<float> values_;  // [rows of a relation, columns]
  std::int64_t relation_ = 0;
  bool gains_ = false;
};

}  // namespace headwise::analysis
