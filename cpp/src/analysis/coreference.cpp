#include "headwise/analysis/coreference.hpp"

namespace headwise::analysis {
namespace {

using Kind = CoreferenceKind;

// The weight of a row on all tokens of each kind.
struct Weights {
  double of[5] = {};
  double on(Kind kind) const { return of[static_cast<int>(kind)]; }
  bool right() const { return on(Kind::kAntecedent) > on(Kind::kCandidate); }
};

Weights weights_of(const float* row, const Kind* kinds, std::int64_t length) {
  Weights weights;
  for (std::int64_t j = 0; j < length; ++j) weights.of[static_cast<int>(kinds[j])] += row[j];
  return weights;
}

// The kind of the token that the mention's rows together attend to most; the first of equal ones.
Kind most_attended(const float* pattern, const Kind* kinds, std::int64_t length) {
  double most = -1.0;
  Kind found = Kind::kText;
  for (std::int64_t j = 0; j < length; ++j) {
    if (kinds[j] == Kind::kOutside || kinds[j] == Kind::kMention) continue;
    double weight = 0.0;
    for (std::int64_t i = 0; i < length; ++i) {
      if (kinds[i] == Kind::kMention) weight += pattern[i * length + j];
    }
    if (!(weight > most)) continue;
    most = weight;
    found = kinds[j];
  }
  return found;
}

void judge_head(const float* pattern, const Kind* kinds, std::int64_t length,
                double (&fields)[Coreference::kFields]) {
  Weights mention;
  double mention_rows = 0.0;
  double other_rows = 0.0;
  double other_weight = 0.0;
  double control = 0.0;
  for (std::int64_t i = 0; i < length; ++i) {
    if (kinds[i] != Kind::kMention && kinds[i] != Kind::kText) continue;
    const Weights row = weights_of(pattern + i * length, kinds, length);
    if (kinds[i] == Kind::kMention) {
      for (int k = 0; k < 5; ++k) mention.of[k] += row.of[k];
      mention_rows += 1.0;
    } else {
      other_rows += 1.0;
      other_weight += row.on(Kind::kAntecedent);
      control += row.right() ? 1.0 : 0.0;
    }
  }
  const double others = other_rows > 0.0 ? other_rows : 1.0;
  fields[Coreference::kRight] = mention.right() ? 1.0 : 0.0;
  fields[Coreference::kControl] = control / others;
  fields[Coreference::kMostAttended] =
      most_attended(pattern, kinds, length) == Kind::kAntecedent ? 1.0 : 0.0;
  fields[Coreference::kWeight] = mention.on(Kind::kAntecedent) / mention_rows;
  fields[Coreference::kOtherWeight] = other_weight / others;
}

}  // namespace

Status Coreference::begin(std::int64_t examples_given, std::int64_t layers, std::int64_t heads) {
  examples = examples_given;
  heads_ = heads;
  all_heads = layers * heads;
  return values.allocate(kFields * examples * all_heads, "examples");
}

void Coreference::judge(std::int64_t layer, const float* patterns, std::int64_t batch,
                        std::int64_t length, const std::int32_t* example_ids,
                        const CoreferenceKind* kinds) {
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t h = 0; h < heads_; ++h) {
      double fields[kFields];
      judge_head(patterns + (b * heads_ + h) * length * length, kinds + b * length, length, fields);
      for (std::int64_t f = 0; f < kFields; ++f) {
        values[(f * examples + example_ids[b]) * all_heads + layer * heads_ + h] =
            static_cast<float>(fields[f]);
      }
    }
  }
}

}  // namespace headwise::analysis
