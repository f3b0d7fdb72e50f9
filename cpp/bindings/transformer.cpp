// The transformer as a handle that is filled parameter by parameter, and one run of it, a block a
// step. Lists of names cross as the lines of one text.
#include "headwise/transformer_run.hpp"

#include <emscripten/bind.h>

#include <algorithm>

#include "headwise/analysis/token_loss.hpp"
#include "headwise/pooling.hpp"
#include "record.hpp"
#include "status.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

// Choices cross as the numbers of their enumerators.
template <class Choice>
Choice choice(RecordReader& in) {
  return static_cast<Choice>(in.integer());
}

TransformerConfig read_config(RecordReader& in) {
  TransformerConfig c;
  c.kind = choice<TransformerKind>(in);
  for (std::int64_t* size :
       {&c.num_layers, &c.decoder_layers, &c.num_heads, &c.kv_heads, &c.head_dim, &c.d_model,
        &c.d_mlp, &c.d_embedding, &c.vocabulary, &c.max_positions, &c.token_types}) {
    *size = in.integer();
  }
  c.norm = choice<NormKind>(in);
  c.norm_epsilon = in.number();
  c.norm_placement = choice<NormPlacement>(in);
  c.embedding_norm = in.flag();
  c.final_norm = in.flag();
  c.positions = choice<PositionKind>(in);
  c.position_offset = in.integer();
  c.rotary.dim = in.integer();
  c.rotary.base = in.number();
  c.rotary.interleaved = in.flag();
  c.rotary.scaling = in.number();
  c.rotary.original_positions = in.integer();
  c.rotary.low_frequency_factor = in.number();
  c.rotary.high_frequency_factor = in.number();
  c.relative_buckets = in.integer();
  c.relative_max_distance = in.integer();
  c.activation = choice<ActivationFunction>(in);
  for (bool* flag : {&c.gated_mlp, &c.attention_bias, &c.output_bias, &c.mlp_bias}) {
    *flag = in.flag();
  }
  c.attention_scale = in.number();
  c.attention_softcap = in.number();
  c.window = in.integer();
  c.global_every = in.integer();
  c.embedding_scale = in.number();
  c.head = choice<HeadKind>(in);
  c.tied_head = in.flag();
  c.head_bias = in.flag();
  c.logit_scale = in.number();
  c.logit_softcap = in.number();
  for (std::int64_t* size :
       {&c.labels, &c.image.size, &c.image.patch, &c.image.channels, &c.image.class_tokens}) {
    *size = in.integer();
  }
  return c;
}

bool create(Transformer& transformer) {
  RecordReader in;
  const TransformerConfig config = read_config(in);
  return succeeded(
      transformer.create(config, in.flag() ? WeightType::kInt8 : WeightType::kFloat32));
}

std::vector<std::int64_t> sizes_of(const TensorValue& value) {
  return {value.dims.begin(), value.dims.begin() + value.rank};
}

bool set_parameter(Transformer& transformer, const std::string& name) {
  const TensorValue values = RecordReader().tensor();
  return succeeded(transformer.set_parameter(name, sizes_of(values), values.data<const float>()));
}

// The record holds the values, the address of their scales, the outliers (rank 1) and the address
// of a row and a column for each of them.
bool set_parameter_int8(Transformer& transformer, const std::string& name) {
  RecordReader in;
  const TensorValue values = in.tensor();
  const auto* scales = pointer_to<const float>(in.number());
  const TensorValue outliers = in.tensor();
  const auto* places = pointer_to<const std::int32_t>(in.number());
  std::vector<Outlier> list(static_cast<std::size_t>(outliers.dims[0]));
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = {places[2 * i], places[2 * i + 1], outliers.data<const float>()[i]};
  }
  return succeeded(transformer.set_parameter_int8(name, sizes_of(values),
                                                  values.data<const std::int8_t>(), scales, list));
}

// The record holds the values; the address of as many row ids as they have rows; then, for int8,
// that of their scales.
bool set_rows(Transformer& transformer, const std::string& name) {
  RecordReader in;
  const TensorValue values = in.tensor();
  const auto* row_ids = pointer_to<const std::int32_t>(in.number());
  return succeeded(
      transformer.set_embedding_rows(name, row_ids, values.dims[0], values.data<const float>()));
}

bool set_rows_int8(Transformer& transformer, const std::string& name) {
  RecordReader in;
  const TensorValue values = in.tensor();
  const auto* row_ids = pointer_to<const std::int32_t>(in.number());
  const auto* scales = pointer_to<const float>(in.number());
  return succeeded(transformer.set_embedding_rows_int8(name, row_ids, values.dims[0],
                                                       values.data<const std::int8_t>(), scales));
}

// Writes a tensor without memory.
bool parameter_dims(const Transformer& transformer, const std::string& name) {
  std::vector<std::int64_t> dims;
  if (!succeeded(transformer.parameter_dims(name, &dims))) return false;
  RecordWriter out;
  out.number(0);
  out.number(static_cast<Number>(dims.size()));
  for (const std::int64_t dim : dims) out.number(static_cast<Number>(dim));
  return true;
}

// To memory that the caller has taken, as large as the dims say.
bool copy_parameter(const Transformer& transformer, const std::string& name, Number address) {
  return succeeded(transformer.copy_parameter(name, pointer_to<float>(address)));
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

class TransformerRunOperation {
 public:
  void add_intervention(const std::string& name) {
    RecordReader in;
    Intervention intervention;
    intervention.name = name;
    intervention.head = in.optional_integer();
    intervention.kind = static_cast<InterventionKind>(in.integer());  // its enumerators in order
    const TensorValue values = in.tensor();
    intervention.values = values.data<const float>();
    intervention.rank = values.rank;
    intervention.dims = values.dims;
    intervention.deviation = in.number();
    intervention.seed = static_cast<std::uint64_t>(in.number());
    options_.interventions.push_back(std::move(intervention));
  }

  // The next run starts at a layer, on what enters it [B, S, dModel]; in a decoder [B, T, dModel],
  // and `encoded` [B, S, dModel].
  void start_at(Number layer, Number stream, Number encoded) {
    options_.start_at_layer = static_cast<std::int64_t>(layer);
    options_.stream = pointer_to<const float>(stream);
    options_.encoded = pointer_to<const float>(encoded);
  }
  // Which of the next run's decoder ids are real, [B, T].
  void mask_decoder(Number mask) { decoder_key_mask_ = pointer_to<const std::uint8_t>(mask); }

  // May be used again and again; interventions are those of one run. `names` are the lines of a
  // text; `cache` may be null. Of the tensors some are not given: ids [B, S], decoder ids [B, T],
  // an image [B, channels, size, size].
  bool begin(const Transformer& transformer, DecodingCache* cache, const std::string& names) {
    RecordReader in;
    const TensorValue ids = in.tensor();
    const TensorValue decoder_ids = in.tensor();
    const TensorValue image = in.tensor();
    TransformerInput input;
    input.batch = ids.given()           ? ids.dims[0]
                  : decoder_ids.given() ? decoder_ids.dims[0]
                                        : image.dims[0];
    input.ids = ids.data<const std::int32_t>();
    input.length = ids.dims[1];
    input.decoder_ids = decoder_ids.data<const std::int32_t>();
    input.decoder_length = decoder_ids.dims[1];
    input.pixels = image.data<const float>();
    input.type_ids = pointer_to<const std::int32_t>(in.number());
    input.key_mask = pointer_to<const std::uint8_t>(in.number());
    input.decoder_key_mask = decoder_key_mask_;
    options_.names = names_of(names);
    options_.stop_at_layer = in.integer();
    options_.output = choice<RunOutput>(in);
    options_.cache = cache;
    done_ = false;
    classifies_ = transformer.config().head == HeadKind::kClassifier &&
                  options_.output == RunOutput::kHead && options_.stop_at_layer < 0;
    const bool begun = succeeded(run_.begin(transformer, input, options_));
    options_.interventions.clear();
    options_.start_at_layer = 0;
    options_.stream = options_.encoded = nullptr;
    decoder_key_mask_ = nullptr;
    return begun;
  }
  bool step() { return succeeded(run_.step(&done_)); }
  bool done() const { return done_; }

  void output() const {
    const auto out = run_.output();
    if (classifies_) {
      RecordWriter().tensor(out.data, out.dims[0], out.dims[2]);
    } else {
      RecordWriter().tensor(out.data, out.dims[0], out.dims[1], out.dims[2]);
    }
  }

  void encoded() const {
    const auto state = run_.encoded();
    RecordWriter().tensor(state.data, state.dims[0], state.dims[1], state.dims[2]);
  }

  int activation_count() const { return static_cast<int>(run_.cache().activations().size()); }
  std::string activation_name(int index) const { return activation(index).name; }
  void activation_tensor(int index) const {
    const Activation& kept = activation(index);
    RecordWriter out;
    out.number(address_of(kept.data.data()));
    out.number(static_cast<Number>(kept.dims.size()));
    for (const std::int64_t dim : kept.dims) out.number(static_cast<Number>(dim));
  }

  // The mean of the output over real tokens, [B, dModel], to memory that the caller has taken.
  void pool(Number key_mask, bool normalize, Number address) const {
    mean_pool(run_.output(), pointer_to<const std::uint8_t>(key_mask), normalize,
              pointer_to<float>(address));
  }

  // The loss of every sequence's next tokens, to memory that the caller has taken: labels [B, S];
  // ids that are never chosen; losses [B]; right [B].
  bool token_loss() const {
    RecordReader in;
    const auto* labels = pointer_to<const std::int32_t>(in.number());
    const TensorValue never = in.tensor();
    auto* losses = pointer_to<float>(in.number());
    auto* right = pointer_to<float>(in.number());
    return succeeded(analysis::token_loss(
        run_.output(), labels,
        {never.data<const std::int32_t>(), static_cast<std::size_t>(never.dims[0])}, losses,
        right));
  }

 private:
  const Activation& activation(int index) const {
    return run_.cache().activations()[static_cast<std::size_t>(index)];
  }

  RunOptions options_;
  const std::uint8_t* decoder_key_mask_ = nullptr;
  TransformerRun run_;
  bool done_ = false;
  bool classifies_ = false;  // the output is [B, labels]
};

bool create_cache(DecodingCache& cache, const Transformer& transformer, Number capacity) {
  return succeeded(cache.create(transformer, 1, static_cast<std::int64_t>(capacity)));
}

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_transformer) {
  using namespace headwise::bindings;
  class_<headwise::Transformer>("Transformer")
      .constructor<>()
      .function("create", &create)
      .function("setParameter", &set_parameter)
      .function("setParameterInt8", &set_parameter_int8)
      .function("setRows", &set_rows)
      .function("setRowsInt8", &set_rows_int8)
      .function("parameterDims", &parameter_dims)
      .function("copyParameter", &copy_parameter)
      .function("readyBlocks", &ready_blocks)
      .function("readyPatterns", &ready_patterns)
      .function("parameterCount", &parameter_count)
      .function("activationNames", &activation_names)
      .function("missingParameters", &missing_parameters);

  class_<headwise::DecodingCache>("DecodingCache")
      .constructor<>()
      .function("create", &create_cache);

  class_<TransformerRunOperation>("TransformerRun")
      .constructor<>()
      .function("addIntervention", &TransformerRunOperation::add_intervention)
      .function("startAt", &TransformerRunOperation::start_at)
      .function("maskDecoder", &TransformerRunOperation::mask_decoder)
      .function("begin", &TransformerRunOperation::begin, allow_raw_pointers())
      .function("step", &TransformerRunOperation::step)
      .property("done", &TransformerRunOperation::done)
      .function("output", &TransformerRunOperation::output)
      .function("encoded", &TransformerRunOperation::encoded)
      .property("activationCount", &TransformerRunOperation::activation_count)
      .function("activationName", &TransformerRunOperation::activation_name)
      .function("activationTensor", &TransformerRunOperation::activation_tensor)
      .function("pool", &TransformerRunOperation::pool)
      .function("tokenLoss", &TransformerRunOperation::token_loss);
}
