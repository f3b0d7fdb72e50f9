// The multi-head attention layer as a handle, and one forward pass of it in slices.
#include "headwise/multi_head_attention.hpp"

#include <emscripten/bind.h>

#include "rotary.hpp"
#include "values.hpp"
#include "visibility.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

struct MultiHeadAttentionValue {
  Number d_model = 0, num_heads = 0;
  std::optional<Number> kv_heads, head_dim, value_head_dim, key_input_dim, value_input_dim;
  TensorValue query, key, value, output, query_bias, key_bias, value_bias, output_bias, qkv,
      qkv_bias, alibi_slopes;
  bool has_rotary = false;
  RotaryValue rotary;
  bool alibi = false;
};

StatusValue create(MultiHeadAttention& layer, const MultiHeadAttentionValue& value) {
  MultiHeadAttentionConfig config;
  config.d_model = static_cast<std::int64_t>(value.d_model);
  config.num_heads = static_cast<std::int64_t>(value.num_heads);
  config.kv_heads = integer(value.kv_heads);
  config.head_dim = integer(value.head_dim);
  config.value_head_dim = integer(value.value_head_dim);
  config.key_input_dim = integer(value.key_input_dim);
  config.value_input_dim = integer(value.value_input_dim);
  if (value.has_rotary) config.rotary = rotary_config(value.rotary);
  config.alibi = value.alibi;
  const MultiHeadAttentionWeights weights{
      .query = tensor_argument(value.query),
      .key = tensor_argument(value.key),
      .value = tensor_argument(value.value),
      .output = tensor_argument(value.output),
      .query_bias = tensor_argument(value.query_bias),
      .key_bias = tensor_argument(value.key_bias),
      .value_bias = tensor_argument(value.value_bias),
      .output_bias = tensor_argument(value.output_bias),
      .qkv = tensor_argument(value.qkv),
      .qkv_bias = tensor_argument(value.qkv_bias),
      .alibi_slopes = tensor_argument(value.alibi_slopes),
  };
  return to_value(layer.create(config, weights, WeightType::kFloat32));
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

struct ForwardValue {
  TensorValue query, key, value;
  VisibilityValue visibility;
  TensorValue positions;
  bool return_heads = false;
};

class ForwardOperation {
 public:
  // `cache` may be null; else the projected keys and values are appended to it.
  StatusValue begin(const MultiHeadAttention& layer, const ForwardValue& value,
                    KeyValueCache* cache) {
    return to_value(begin_status(layer, value, cache));
  }
  // Some tens of milliseconds of the work; `done` afterwards tells whether that was all.
  StatusValue step() { return to_value(run_.step(&done_)); }
  bool done() const { return done_; }

  TensorValue output() const {
    return tensor_value(output_.data(), shape_.batch, shape_.query_length, d_model_);
  }
  TensorValue scores() const { return pairs(scores_); }
  TensorValue weights() const { return pairs(weights_); }
  TensorValue heads() const {
    if (heads_.data() == nullptr) return {};
    return tensor_value(heads_.data(), shape_.batch, shape_.query_heads, shape_.query_length,
                        d_model_);
  }

 private:
  Status begin_status(const MultiHeadAttention& layer, const ForwardValue& value,
                      KeyValueCache* cache) {
    MultiHeadAttentionCall call;
    call.cache = cache;
    call.query = tensor_argument(value.query);
    call.key = tensor_argument(value.key);
    call.value = tensor_argument(value.value);
    set_visibility(value.visibility, &call.options);
    call.positions = pointer_to<const std::int32_t>(value.positions.address);
    call.positions_rank = value.positions.rank;
    call.positions_dims = dims_of(value.positions);
    HEADWISE_RETURN_IF_ERROR(layer.validate(call, &shape_));

    d_model_ = layer.shape().d_model;
    MultiHeadAttentionResult result;
    const std::int64_t rows = shape_.batch * shape_.query_length;
    HEADWISE_RETURN_IF_ERROR(output_.allocate(rows * d_model_, "output"));
    result.output = output_.data();
    result.scores_point = scores_point(value.visibility);
    if (result.scores_point != ScoresPoint::kNone) {
      HEADWISE_RETURN_IF_ERROR(scores_.allocate(shape_.scores_size(), "scores"));
      result.scores = scores_.data();
    }
    if (value.visibility.return_weights) {
      HEADWISE_RETURN_IF_ERROR(weights_.allocate(shape_.scores_size(), "weights"));
      result.weights = weights_.data();
    }
    if (value.return_heads) {
      HEADWISE_RETURN_IF_ERROR(heads_.allocate(rows * shape_.query_heads * d_model_, "heads"));
      result.heads = heads_.data();
    }
    return run_.begin(layer, call, result);
  }

  TensorValue pairs(const Buffer<float>& buffer) const {
    if (buffer.data() == nullptr) return {};
    return tensor_value(buffer.data(), shape_.batch, shape_.query_heads, shape_.query_length,
                        shape_.kv_length);
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
  value_object<MultiHeadAttentionValue>("MultiHeadAttentionValue")
      .field("dModel", &MultiHeadAttentionValue::d_model)
      .field("numHeads", &MultiHeadAttentionValue::num_heads)
      .field("kvHeads", &MultiHeadAttentionValue::kv_heads)
      .field("headDim", &MultiHeadAttentionValue::head_dim)
      .field("valueHeadDim", &MultiHeadAttentionValue::value_head_dim)
      .field("keyInputDim", &MultiHeadAttentionValue::key_input_dim)
      .field("valueInputDim", &MultiHeadAttentionValue::value_input_dim)
      .field("query", &MultiHeadAttentionValue::query)
      .field("key", &MultiHeadAttentionValue::key)
      .field("value", &MultiHeadAttentionValue::value)
      .field("output", &MultiHeadAttentionValue::output)
      .field("queryBias", &MultiHeadAttentionValue::query_bias)
      .field("keyBias", &MultiHeadAttentionValue::key_bias)
      .field("valueBias", &MultiHeadAttentionValue::value_bias)
      .field("outputBias", &MultiHeadAttentionValue::output_bias)
      .field("qkv", &MultiHeadAttentionValue::qkv)
      .field("qkvBias", &MultiHeadAttentionValue::qkv_bias)
      .field("alibiSlopes", &MultiHeadAttentionValue::alibi_slopes)
      .field("hasRotary", &MultiHeadAttentionValue::has_rotary)
      .field("rotary", &MultiHeadAttentionValue::rotary)
      .field("alibi", &MultiHeadAttentionValue::alibi);

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

  value_object<ForwardValue>("Forward")
      .field("query", &ForwardValue::query)
      .field("key", &ForwardValue::key)
      .field("value", &ForwardValue::value)
      .field("visibility", &ForwardValue::visibility)
      .field("positions", &ForwardValue::positions)
      .field("returnHeads", &ForwardValue::return_heads);

  class_<ForwardOperation>("ForwardOperation")
      .constructor<>()
      .function("begin", &ForwardOperation::begin, allow_raw_pointers())
      .function("step", &ForwardOperation::step)
      .property("done", &ForwardOperation::done)
      .property("output", &ForwardOperation::output)
      .property("scores", &ForwardOperation::scores)
      .property("weights", &ForwardOperation::weights)
      .property("heads", &ForwardOperation::heads);
}
