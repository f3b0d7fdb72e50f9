// What of a run's activations its caller changes: which places there are, and whether each change
// fits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "headwise/activation_cache.hpp"
#include "headwise/intervention.hpp"
#include "headwise/transformer_run.hpp"
#include "text.hpp"

namespace headwise {

// The places that interventions may name, those of blocks that run marked.
struct TransformerRun::Places {
  std::vector<std::string> names;
  std::vector<std::int64_t> lengths;  // of the sequences that pass through
  std::vector<bool> reached;
};

TransformerRun::Places TransformerRun::places() const {
  // The run may end sooner when no output is wanted: what lies behind is then not asked for.
  const std::size_t end = options_.stop_at_layer < 0
                              ? transformer_->stages_.size()
                              : transformer_->stage_of(options_.stop_at_layer);
  const std::size_t start = options_.stream == nullptr ? 0 : first_stage_;
  Places places;
  for (std::size_t i = 0; i < transformer_->stages_.size(); ++i) {
    const Transformer::Stage& stage = transformer_->stages_[i];
    if (stage.kind != StageKind::kBlock) continue;
    const Stack& stack = transformer_->stacks_[stage.stack];
    const std::string prefix = stack.block_hooks + text(stage.layer) + ".";
    for (const char* name : {"attn.hook_z", "cross_attn.hook_z"}) {
      if (name[0] == 'c' && !stack.cross) continue;
      places.names.push_back(prefix + name);
      places.lengths.push_back(sequences_[stage.stack].length);
      places.reached.push_back(i >= start && i < end);
    }
  }
  return places;
}

// Judges the interventions and copies their tensors, which the caller may release.
Status TransformerRun::take_interventions() {
  intervention_values_.clear();
  if (options_.interventions.empty()) return {};
  const Places known = places();
  for (std::size_t i = 0; i < options_.interventions.size(); ++i) {
    Status status = take_intervention(known, &options_.interventions[i]);
    if (!status.ok()) return std::move(status).at(static_cast<std::int64_t>(i));
  }
  return {};
}

Status TransformerRun::take_intervention(const Places& places, Intervention* intervention) {
  const char* const argument = "interventions";
  std::vector<bool> selected;
  HEADWISE_RETURN_IF_ERROR(select_names({intervention->name}, places.names, argument, &selected));
  bool reached = false;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (!selected[i] || !places.reached[i]) continue;
    reached = true;
    HEADWISE_RETURN_IF_ERROR(validate(*intervention, batch_, places.lengths[i], config().num_heads,
                                      config().head_size()));
  }
  if (!reached) {  // a change where the run does not come would be ignored in silence
    return Status::invalid(argument, "a place where the run comes (stopAtLayer, startAtLayer)",
                           intervention->name);
  }
  if (intervention->values == nullptr) return {};
  std::int64_t size = 1;
  for (int i = 0; i < intervention->rank; ++i) size *= intervention->dims[i];
  Buffer<float> values;
  HEADWISE_RETURN_IF_ERROR(values.allocate(size, argument));
  std::copy_n(intervention->values, size, values.data());
  intervention->values = values.data();
  intervention_values_.push_back(std::move(values));
  return {};
}

}  // namespace headwise
