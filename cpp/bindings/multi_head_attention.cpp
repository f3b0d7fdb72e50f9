// The multi-head attention layer as a handle, and one forward pass of it in slices.
#include "headwise/multi_head_attention.hpp"

#include <emscripten/bind.h>

#include "record.hpp"
#include "rotary.hpp"
#include "status.hpp"
#include "visibility.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

bool create(MultiHeadAttention& layer) {
  RecordReader in;
  MultiHeadAttentionConfig config;
  config.d_model = in.integer();
  config.num_heads = in.integer();
  config.kv_heads = in.optional_integer();
  config.head_dim = in.optional_integer();
  config.value_head_dim = in.optional_integer();
  config.key_input_dim = in.optional_integer();
  config.value_input_dim = in.optional_integer();
  MultiHeadAttentionWeights weights;
  for (TensorArgument* weight :
       {&weights.query, &weights.key, &weights.value, &weights.output, &weights.query_bias,
        &weights.key_bias, &weights.value_bias, &weights.output_bias, &weights.qkv,
        &weights.qkv_bias, &weights.alibi_slopes}) {
    *weight = in.argument();
  }
  config.alibi = in.flag();
  if (in.flag()) config.rotary = read_rotary(in);
  return succeeded(layer.create(config, weights, WeightType::kFloat32));
}

struct ParametersValue {
  Number query, key, value, output, biases, total;
};

ParametersValue parameters(const MultiHeadAttention& layer) {
  const ParameterCount count = layer.parameters();
  return {static_cast<Number>(count.query),  static_cast<Number>(count.key),
          static_cast<Number>(count.value),  static_cast<Number>(count.output),
          static_cast<Number>(count.biases), static_cast<Number>(count.total)};
}

class ForwardOperation {
 public:
  // `cache` may be null; else the projected keys and values are appended to it.
  bool begin(const MultiHeadAttention& layer, KeyValueCache* cache) {
    return succeeded(begin_status(layer, cache));
  }
  // Some tens of milliseconds of the work; `done` afterwards tells whether that was all.
  bool step() { return succeeded(run_.step(&done_)); }
  bool done() const { return done_; }

  // Output, scores, weights, heads.
  void results() const {
    const AttentionShape& s = shape_;
    RecordWriter out;
    out.tensor(output_.data(), s.batch, s.query_length, d_model_);
    for (const auto* pairs : {&scores_, &weights_}) {
      out.tensor(pairs->data(), s.batch, s.query_heads, s.query_length, s.kv_length);
    }
    out.tensor(heads_.data(), s.batch, s.query_heads, s.query_length, d_model_);
  }

  void release() { *this = {}; }

 private:
  Status begin_status(const MultiHeadAttention& layer, KeyValueCache* cache) {
    RecordReader in;
    MultiHeadAttentionCall call;
    call.cache = cache;
    call.query = in.argument();
    call.key = in.argument();
    call.value = in.argument();
    const WantedResults wanted = read_visibility(in, &call.options);
    const TensorValue positions = in.tensor();
    call.positions = positions.data<const std::int32_t>();
    call.positions_rank = positions.rank;
    call.positions_dims = positions.dims;
    const bool wants_heads = in.flag();
    HEADWISE_RETURN_IF_ERROR(layer.validate(call, &shape_));

    d_model_ = layer.shape().d_model;
    MultiHeadAttentionResult result;
    const std::int64_t rows = shape_.batch * shape_.query_length;
    HEADWISE_RETURN_IF_ERROR(output_.allocate(rows * d_model_, "output"));
    result.output = output_.data();
    result.scores_point = wanted.scores_point;
    if (result.scores_point != ScoresPoint::kNone) {
      HEADWISE_RETURN_IF_ERROR(scores_.allocate(shape_.scores_size(), "scores"));
      result.scores = scores_.data();
    }
    if (wanted.weights) {
      HEADWISE_RETURN_IF_ERROR(weights_.allocate(shape_.scores_size(), "weights"));
      result.weights = weights_.data();
    }
    if (wants_heads) {
      HEADWISE_RETURN_IF_ERROR(heads_.allocate(rows * shape_.query_heads * d_model_, "heads"));
      result.heads = heads_.data();
    }
    return run_.begin(layer, call, result);
  }

  AttentionShape shape_;
  std::int64_t d_model_ = 0;
  MultiHeadAttentionRun run_;
  bool done_ = false;
  Buffer<float> output_, scores_, weights_, heads_;
};

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_multi_head_attention) {
  using namespace headwise::bindings;
  value_object<ParametersValue>("Parameters")
      .field("query", &ParametersValue::query)
      .field("key", &ParametersValue::key)
      .field("value", &ParametersValue::value)
      .field("output", &ParametersValue::output)
      .field("biases", &ParametersValue::biases)
      .field("total", &ParametersValue::total);

  class_<headwise::MultiHeadAttention>("MultiHeadAttention")
      .constructor<>()
      .function("create", &create)
      .function("parameters", &parameters);

  class_<ForwardOperation>("ForwardOperation")
      .constructor<>()
      .function("begin", &ForwardOperation::begin, allow_raw_pointers())
      .function("step", &ForwardOperation::step)
      .property("done", &ForwardOperation::done)
      .function("results", &ForwardOperation::results)
      .function("release", &ForwardOperation::release);
}
