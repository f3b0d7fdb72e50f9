// Latent attention: the op on projected inputs, and the layer as a handle.
#include "headwise/latent_attention.hpp"

#include <emscripten/bind.h>

#include "rotary.hpp"
#include "values.hpp"
#include "visibility.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

struct LatentInputsValue {
  TensorValue query_nope, query_rope, latent, key_rope, uk, uv;
};

// What the op and the layer share.
struct LatentOptionsValue {
  VisibilityValue visibility;
  std::optional<Number> scale;
  bool absorbed = false;
};

struct LatentLayerValue {
  Number d_model = 0, num_heads = 0, nope_dim = 0, rope_dim = 0, value_head_dim = 0, latent_dim = 0;
  std::optional<Number> query_latent_dim;
  RotaryValue rotary;
  TensorValue query, query_down, latent, uk, uv, output;
};

struct LatentCallValue {
  TensorValue x, positions;
};

LatentForm form_of(const LatentOptionsValue& value) {
  return value.absorbed ? LatentForm::kAbsorbed : LatentForm::kExpanded;
}

AttentionCall call_options(const LatentOptionsValue& value) {
  AttentionCall options;
  set_visibility(value.visibility, &options);
  options.scale = value.scale;
  return options;
}

StatusValue create(LatentAttention& layer, const LatentLayerValue& value) {
  LatentAttentionConfig config;
  config.d_model = static_cast<std::int64_t>(value.d_model);
  config.num_heads = static_cast<std::int64_t>(value.num_heads);
  config.nope_dim = static_cast<std::int64_t>(value.nope_dim);
  config.rope_dim = static_cast<std::int64_t>(value.rope_dim);
  config.value_head_dim = static_cast<std::int64_t>(value.value_head_dim);
  config.latent_dim = static_cast<std::int64_t>(value.latent_dim);
  config.query_latent_dim = integer(value.query_latent_dim);
  config.rotary = rotary_config(value.rotary);
  return to_value(layer.create(config, {.query = tensor_argument(value.query),
                                        .query_down = tensor_argument(value.query_down),
                                        .latent = tensor_argument(value.latent),
                                        .uk = tensor_argument(value.uk),
                                        .uv = tensor_argument(value.uv),
                                        .output = tensor_argument(value.output)}));
}

// A call with its results, which live as long as it does.
class LatentOperation {
 public:
  StatusValue attend(const LatentInputsValue& value, const LatentOptionsValue& options) {
    return to_value(attend_status(value, options));
  }
  StatusValue forward(const LatentAttention& layer, const LatentCallValue& value,
                      const LatentOptionsValue& options) {
    return to_value(forward_status(layer, value, options));
  }

  TensorValue output() const {
    return d_model_ == 0
               ? tensor_value(output_.data(), shape_.batch, shape_.query_heads, shape_.query_length,
                              shape_.value_head_dim)
               : tensor_value(output_.data(), shape_.batch, shape_.query_length, d_model_);
  }
  TensorValue scores() const { return pairs(scores_); }
  TensorValue weights() const { return pairs(weights_); }

 private:
  Status attend_status(const LatentInputsValue& value, const LatentOptionsValue& options) {
    const LatentAttentionInputs inputs{.query_nope = tensor_argument(value.query_nope),
                                       .query_rope = tensor_argument(value.query_rope),
                                       .latent = tensor_argument(value.latent),
                                       .key_rope = tensor_argument(value.key_rope),
                                       .uk = tensor_argument(value.uk),
                                       .uv = tensor_argument(value.uv)};
    const AttentionCall call = call_options(options);
    HEADWISE_RETURN_IF_ERROR(validate(inputs, call, &shape_));
    LatentAttentionResult result;
    HEADWISE_RETURN_IF_ERROR(take_results(options, shape_.output_size(), &result));
    return latent_attention(inputs, form_of(options), call, result);
  }

  Status forward_status(const LatentAttention& layer, const LatentCallValue& value,
                        const LatentOptionsValue& options) {
    LatentAttentionCall call;
    call.x = tensor_argument(value.x);
    call.form = form_of(options);
    call.options = call_options(options);
    call.positions = pointer_to<const std::int32_t>(value.positions.address);
    call.positions_rank = value.positions.rank;
    call.positions_dims = dims_of(value.positions);
    HEADWISE_RETURN_IF_ERROR(layer.validate(call, &shape_));
    d_model_ = layer.config().d_model;
    LatentAttentionResult result;
    const std::int64_t size = shape_.batch * shape_.query_length * d_model_;
    HEADWISE_RETURN_IF_ERROR(take_results(options, size, &result));
    return layer.forward(call, result);
  }

  Status take_results(const LatentOptionsValue& options, std::int64_t output_size,
                      LatentAttentionResult* result) {
    HEADWISE_RETURN_IF_ERROR(output_.allocate(output_size, "output"));
    result->output = output_.data();
    result->scores_point = scores_point(options.visibility);
    if (result->scores_point != ScoresPoint::kNone) {
      HEADWISE_RETURN_IF_ERROR(scores_.allocate(shape_.scores_size(), "scores"));
      result->scores = scores_.data();
    }
    if (options.visibility.return_weights) {
      HEADWISE_RETURN_IF_ERROR(weights_.allocate(shape_.scores_size(), "weights"));
      result->weights = weights_.data();
    }
    return {};
  }

  TensorValue pairs(const Buffer<float>& buffer) const {
    if (buffer.data() == nullptr) return {};
    return tensor_value(buffer.data(), shape_.batch, shape_.query_heads, shape_.query_length,
                        shape_.kv_length);
  }

  AttentionShape shape_;
  std::int64_t d_model_ = 0;  // 0 = the op's output
  Buffer<float> output_, scores_, weights_;
};

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_latent_attention) {
  using namespace headwise::bindings;
  value_object<LatentInputsValue>("LatentInputs")
      .field("queryNope", &LatentInputsValue::query_nope)
      .field("queryRope", &LatentInputsValue::query_rope)
      .field("latent", &LatentInputsValue::latent)
      .field("keyRope", &LatentInputsValue::key_rope)
      .field("uk", &LatentInputsValue::uk)
      .field("uv", &LatentInputsValue::uv);

  value_object<LatentOptionsValue>("LatentOptions")
      .field("visibility", &LatentOptionsValue::visibility)
      .field("scale", &LatentOptionsValue::scale)
      .field("absorbed", &LatentOptionsValue::absorbed);

  value_object<LatentLayerValue>("LatentLayer")
      .field("dModel", &LatentLayerValue::d_model)
      .field("numHeads", &LatentLayerValue::num_heads)
      .field("nopeDim", &LatentLayerValue::nope_dim)
      .field("ropeDim", &LatentLayerValue::rope_dim)
      .field("valueHeadDim", &LatentLayerValue::value_head_dim)
      .field("latentDim", &LatentLayerValue::latent_dim)
      .field("queryLatentDim", &LatentLayerValue::query_latent_dim)
      .field("rotary", &LatentLayerValue::rotary)
      .field("query", &LatentLayerValue::query)
      .field("queryDown", &LatentLayerValue::query_down)
      .field("latent", &LatentLayerValue::latent)
      .field("uk", &LatentLayerValue::uk)
      .field("uv", &LatentLayerValue::uv)
      .field("output", &LatentLayerValue::output);

  value_object<LatentCallValue>("LatentCall")
      .field("x", &LatentCallValue::x)
      .field("positions", &LatentCallValue::positions);

  class_<headwise::LatentAttention>("LatentAttention").constructor<>().function("create", &create);

  class_<LatentOperation>("LatentOperation")
      .constructor<>()
      .function("attend", &LatentOperation::attend)
      .function("forward", &LatentOperation::forward)
      .property("output", &LatentOperation::output)
      .property("scores", &LatentOperation::scores)
      .property("weights", &LatentOperation::weights);
}
