// The transformer as a handle that is filled parameter by parameter, and one run of it, a block a
// step. Lists of names cross as the lines of one text.
#include "headwise/transformer.hpp"

#include <emscripten/bind.h>

#include <algorithm>

#include "headwise/pooling.hpp"
#include "values.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

struct TransformerValue {
  Number num_layers, num_heads, d_model, d_mlp, vocabulary, max_positions, token_types,
      norm_epsilon;
  bool int8;
};

StatusValue create(Transformer& transformer, const TransformerValue& value) {
  TransformerConfig config;
  config.num_layers = static_cast<std::int64_t>(value.num_layers);
  config.num_heads = static_cast<std::int64_t>(value.num_heads);
  config.d_model = static_cast<std::int64_t>(value.d_model);
  config.d_mlp = static_cast<std::int64_t>(value.d_mlp);
  config.vocabulary = static_cast<std::int64_t>(value.vocabulary);
  config.max_positions = static_cast<std::int64_t>(value.max_positions);
  config.token_types = static_cast<std::int64_t>(value.token_types);
  config.norm_epsilon = value.norm_epsilon;
  return to_value(
      transformer.create(config, value.int8 ? WeightType::kInt8 : WeightType::kFloat32));
}

std::vector<std::int64_t> sizes_of(const TensorValue& value) {
  const auto dims = dims_of(value);
  return {dims.begin(), dims.begin() + value.rank};
}

StatusValue set_parameter(Transformer& transformer, const std::string& name,
                          const TensorValue& values) {
  return to_value(
      transformer.set_parameter(name, sizes_of(values), pointer_to<const float>(values.address)));
}

// `positions` is the address of a row and a column for each of the outliers.
StatusValue set_parameter_int8(Transformer& transformer, const std::string& name,
                               const TensorValue& values, Number scales, Number positions,
                               const TensorValue& outliers) {
  const auto* places = pointer_to<const std::int32_t>(positions);
  const auto* numbers = pointer_to<const float>(outliers.address);
  std::vector<Outlier> list(outliers.rank == 1 ? static_cast<std::size_t>(outliers.dims[0]) : 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = {places[2 * i], places[2 * i + 1], numbers[i]};
  }
  return to_value(transformer.set_parameter_int8(name, sizes_of(values),
                                                 pointer_to<const std::int8_t>(values.address),
                                                 pointer_to<const float>(scales), list));
}

// `row_ids` is the address of as many ids as `values` has rows.
StatusValue set_rows(Transformer& transformer, const std::string& name, Number row_ids,
                     const TensorValue& values) {
  return to_value(transformer.set_embedding_rows(name, pointer_to<const std::int32_t>(row_ids),
                                                 static_cast<std::int64_t>(values.dims[0]),
                                                 pointer_to<const float>(values.address)));
}

StatusValue set_rows_int8(Transformer& transformer, const std::string& name, Number row_ids,
                          const TensorValue& values, Number scales) {
  return to_value(transformer.set_embedding_rows_int8(
      name, pointer_to<const std::int32_t>(row_ids), static_cast<std::int64_t>(values.dims[0]),
      pointer_to<const std::int8_t>(values.address), pointer_to<const float>(scales)));
}

Number ready_blocks(const Transformer& transformer) {
  return static_cast<Number>(transformer.ready_blocks());
}
Number ready_patterns(const Transformer& transformer) {
  return static_cast<Number>(transformer.ready_patterns());
}
Number parameter_count(const Transformer& transformer) {
  return static_cast<Number>(transformer.parameter_count());
}

std::string lines_of(const std::vector<std::string>& names) {
  std::string lines;
  for (const std::string& name : names) lines += (lines.empty() ? "" : "\n") + name;
  return lines;
}

std::vector<std::string> names_of(const std::string& lines) {
  std::vector<std::string> names;
  std::size_t from = 0;
  while (from < lines.size()) {
    const std::size_t end = std::min(lines.find('\n', from), lines.size());
    names.push_back(lines.substr(from, end - from));
    from = end + 1;
  }
  return names;
}

std::string activation_names(const Transformer& transformer) {
  return lines_of(transformer.activation_names());
}
// Names of the parameters that have not come, or not whole.
std::string missing_parameters(const Transformer& transformer) {
  std::vector<std::string> names;
  for (const ParameterSpec& parameter : transformer.parameters()) {
    if (!parameter.present) names.push_back(parameter.name);
  }
  return lines_of(names);
}

struct InterventionValue {
  std::string name;
  std::optional<Number> head;
  int kind = 0;  // the enumerators of InterventionKind in order
  TensorValue values;
  Number deviation = 0, seed = 0;
};

struct RunValue {
  TensorValue ids;  // [B, S]
  Number type_ids = 0, key_mask = 0;
  std::string names;
  Number stop_at_layer = -1;
  bool output = true;
};

class TransformerRunOperation {
 public:
  void add_intervention(const InterventionValue& value) {
    Intervention intervention;
    intervention.name = value.name;
    intervention.head = integer(value.head);
    intervention.kind = static_cast<InterventionKind>(value.kind);
    intervention.values = pointer_to<const float>(value.values.address);
    intervention.rank = value.values.rank;
    intervention.dims = dims_of(value.values);
    intervention.deviation = value.deviation;
    intervention.seed = static_cast<std::uint64_t>(value.seed);
    options_.interventions.push_back(std::move(intervention));
  }

  StatusValue begin(const Transformer& transformer, const RunValue& value) {
    options_.names = names_of(value.names);
    options_.stop_at_layer = static_cast<std::int64_t>(value.stop_at_layer);
    options_.output = value.output;
    return to_value(run_.begin(transformer, pointer_to<const std::int32_t>(value.ids.address),
                               static_cast<std::int64_t>(value.ids.dims[0]),
                               static_cast<std::int64_t>(value.ids.dims[1]),
                               pointer_to<const std::int32_t>(value.type_ids),
                               pointer_to<const std::uint8_t>(value.key_mask), options_));
  }
  StatusValue step() { return to_value(run_.step(&done_)); }
  bool done() const { return done_; }

  TensorValue output() const {
    const auto hidden = run_.output();
    if (hidden.data == nullptr) return {};
    return tensor_value(hidden.data, hidden.dims[0], hidden.dims[1], hidden.dims[2]);
  }

  int activation_count() const { return static_cast<int>(run_.cache().activations().size()); }
  std::string activation_name(int index) const { return activation(index).name; }
  TensorValue activation_tensor(int index) const {
    const Activation& kept = activation(index);
    TensorValue value{address_of(kept.data.data()), static_cast<int>(kept.dims.size()), {}};
    for (std::size_t i = 0; i < kept.dims.size(); ++i) {
      value.dims[i] = static_cast<Number>(kept.dims[i]);
    }
    return value;
  }

  // The mean of the output over real tokens, [B, dModel], to memory that the caller has taken.
  void pool(Number key_mask, bool normalize, Number address) const {
    mean_pool(run_.output(), pointer_to<const std::uint8_t>(key_mask), normalize,
              pointer_to<float>(address));
  }

 private:
  const Activation& activation(int index) const {
    return run_.cache().activations()[static_cast<std::size_t>(index)];
  }

  RunOptions options_;
  TransformerRun run_;
  bool done_ = false;
};

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_transformer) {
  using namespace headwise::bindings;
  value_object<TransformerValue>("TransformerConfig")
      .field("numLayers", &TransformerValue::num_layers)
      .field("numHeads", &TransformerValue::num_heads)
      .field("dModel", &TransformerValue::d_model)
      .field("dMlp", &TransformerValue::d_mlp)
      .field("vocabulary", &TransformerValue::vocabulary)
      .field("maxPositions", &TransformerValue::max_positions)
      .field("tokenTypes", &TransformerValue::token_types)
      .field("normEpsilon", &TransformerValue::norm_epsilon)
      .field("int8", &TransformerValue::int8);

  class_<headwise::Transformer>("Transformer")
      .constructor<>()
      .function("create", &create)
      .function("setParameter", &set_parameter)
      .function("setParameterInt8", &set_parameter_int8)
      .function("setRows", &set_rows)
      .function("setRowsInt8", &set_rows_int8)
      .function("readyBlocks", &ready_blocks)
      .function("readyPatterns", &ready_patterns)
      .function("parameterCount", &parameter_count)
      .function("activationNames", &activation_names)
      .function("missingParameters", &missing_parameters);

  value_object<InterventionValue>("Intervention")
      .field("name", &InterventionValue::name)
      .field("head", &InterventionValue::head)
      .field("kind", &InterventionValue::kind)
      .field("values", &InterventionValue::values)
      .field("deviation", &InterventionValue::deviation)
      .field("seed", &InterventionValue::seed);

  value_object<RunValue>("Run")
      .field("ids", &RunValue::ids)
      .field("typeIds", &RunValue::type_ids)
      .field("keyMask", &RunValue::key_mask)
      .field("names", &RunValue::names)
      .field("stopAtLayer", &RunValue::stop_at_layer)
      .field("output", &RunValue::output);

  class_<TransformerRunOperation>("TransformerRun")
      .constructor<>()
      .function("addIntervention", &TransformerRunOperation::add_intervention)
      .function("begin", &TransformerRunOperation::begin)
      .function("step", &TransformerRunOperation::step)
      .property("done", &TransformerRunOperation::done)
      .property("output", &TransformerRunOperation::output)
      .property("activationCount", &TransformerRunOperation::activation_count)
      .function("activationName", &TransformerRunOperation::activation_name)
      .function("activationTensor", &TransformerRunOperation::activation_tensor)
      .function("pool", &TransformerRunOperation::pool);
}
