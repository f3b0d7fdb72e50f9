// What heads do, measured as patterns come: a layer of a batch a call.
#include <emscripten/bind.h>

#include "headwise/analysis/coreference.hpp"
#include "headwise/analysis/head_roles.hpp"
#include "record.hpp"
#include "status.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

class HeadRolesOperation {
 public:
  bool begin() {
    RecordReader in;
    analysis::TreeList trees;
    trees.sentences = in.integer();
    trees.relations = in.integer();
    trees.offsets = pointer_to<const std::int32_t>(in.number());
    trees.heads = pointer_to<const std::int32_t>(in.number());
    trees.relation_ids = pointer_to<const std::int32_t>(in.number());
    trees.halves = pointer_to<const std::uint8_t>(in.number());
    const std::int64_t layers = in.integer();
    const std::int64_t heads = in.integer();
    return succeeded(roles_.begin(trees, layers, heads, in.flag()));
  }
  // Layer; patterns [B, H, S, S]; addresses of sentences, words, kinds, ids.
  bool judge() {
    RecordReader in;
    const std::int64_t layer = in.integer();
    const TensorArgument patterns = in.argument();
    analysis::TokenBatch tokens;
    tokens.batch = patterns.dims[0];
    tokens.length = patterns.dims[3];
    tokens.sentences = pointer_to<const std::int32_t>(in.number());
    tokens.words = pointer_to<const std::int32_t>(in.number());
    tokens.kinds = pointer_to<const analysis::TokenKind>(in.number());
    tokens.ids = pointer_to<const std::int32_t>(in.number());
    return succeeded(roles_.judge(layer, patterns.data, tokens));
  }
  bool begin_intervals(Number resamples, Number seed) {
    return succeeded(roles_.begin_intervals(static_cast<std::int64_t>(resamples),
                                            static_cast<std::uint64_t>(seed)));
  }
  bool step() { return succeeded(roles_.step(&done_)); }
  bool done() const { return done_; }

  void results() {
    roles_.summarise();
    const std::int64_t relations = roles_.relations;
    RecordWriter out;
    for (const Buffer<float>* scores : {&roles_.selection, &roles_.accuracy, &roles_.low,
                                        &roles_.high, &roles_.gain_low, &roles_.gain_high}) {
      out.tensor(scores->data(), relations, 2, roles_.all_heads);
    }
    out.tensor(roles_.judged.data(), relations, 2);
    out.tensor(roles_.baselines.data(), relations, 3);
    out.tensor(roles_.means.data(), analysis::HeadRoles::kMeasures, roles_.all_heads);
    out.tensor(roles_.errors.data(), analysis::HeadRoles::kMeasures, roles_.all_heads);
    out.tensor(roles_.measured_rows.data(), analysis::HeadRoles::kMeasures);
  }
  // [words, 2, layers * heads] of 16-bit integers.
  Number predicted() const { return address_of(roles_.predicted.data()); }

 private:
  analysis::HeadRoles roles_;
  bool done_ = false;
};

class CoreferenceOperation {
 public:
  bool begin() {
    RecordReader in;
    const std::int64_t examples = in.integer();
    const std::int64_t layers = in.integer();
    return succeeded(scores_.begin(examples, layers, in.integer()));
  }
  // Layer; patterns [B, H, S, S]; addresses of examples, kinds.
  void judge() {
    RecordReader in;
    const std::int64_t layer = in.integer();
    const TensorArgument patterns = in.argument();
    const auto* examples = pointer_to<const std::int32_t>(in.number());
    const auto* kinds = pointer_to<const analysis::CoreferenceKind>(in.number());
    scores_.judge(layer, patterns.data, patterns.dims[0], patterns.dims[3], examples, kinds);
  }
  void results() const {
    RecordWriter().tensor(scores_.values.data(), analysis::Coreference::kFields, scores_.examples,
                          scores_.all_heads);
  }

 private:
  analysis::Coreference scores_;
};

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_head_analysis) {
  using namespace headwise::bindings;
  class_<HeadRolesOperation>("HeadRoles")
      .constructor<>()
      .function("begin", &HeadRolesOperation::begin)
      .function("judge", &HeadRolesOperation::judge)
      .function("beginIntervals", &HeadRolesOperation::begin_intervals)
      .function("step", &HeadRolesOperation::step)
      .property("done", &HeadRolesOperation::done)
      .function("results", &HeadRolesOperation::results)
      .function("predicted", &HeadRolesOperation::predicted);

  class_<CoreferenceOperation>("Coreference")
      .constructor<>()
      .function("begin", &CoreferenceOperation::begin)
      .function("judge", &CoreferenceOperation::judge)
      .function("results", &CoreferenceOperation::results);
}
