// Whom a mention's row looks at: its antecedent, or another candidate - and whether the other rows
// of the text look there as well, in which case the head marks a word and does not refer. Weight to
// several tokens is their sum, from several tokens the mean.
#pragma once

#include <cstdint>

#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::analysis {

enum class CoreferenceKind : std::int32_t {
  kOutside,  // special tokens and padding
  kText,     // every token of the text that is none of the next
  kMention,
  kAntecedent,
  kCandidate,  // the other one
};

class Coreference {
 public:
  enum Field {
    kRight,         // 1: the mention has more weight on the antecedent than on the other candidate
    kControl,       // share of the other rows for which this holds
    kMostAttended,  // 1: the token with most weight, the mention's aside, is the antecedent's
    kWeight,        // from the mention to the antecedent
    kOtherWeight,   // from the other rows to the antecedent, mean
    kFields
  };

  Status begin(std::int64_t examples, std::int64_t layers, std::int64_t heads);
  // One layer's patterns [B, H, S, S]; the example and the tokens' kinds [B, S] of each sequence.
  // Every example has tokens of the last three kinds.
  void judge(std::int64_t layer, const float* patterns, std::int64_t batch, std::int64_t length,
             const std::int32_t* examples, const CoreferenceKind* kinds);

  std::int64_t examples = 0, all_heads = 0;
  Buffer<float> values;  // [kFields, examples, layers * heads]; undefined until judged

 private:
  std::int64_t heads_ = 0;
};

}  // namespace headwise::analysis
