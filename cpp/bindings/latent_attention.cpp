// Latent attention: the op on projected inputs, and the layer as a handle.
#include "headwise/latent_attention_run.hpp"

#include <emscripten/bind.h>

#include "record.hpp"
#include "rotary.hpp"
#include "status.hpp"
#include "visibility.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

// What the op and the layer share.
struct LatentOptions {
  AttentionCall call;
  LatentForm form = LatentForm::kExpanded;
  WantedResults wanted;
};

LatentOptions read_options(RecordReader& in) {
  LatentOptions options;
  options.call.scale = in.optional_number();
  options.form = in.flag() ? LatentForm::kAbsorbed : LatentForm::kExpanded;
  options.wanted = read_visibility(in, &options.call);
  return options;
}

bool create(LatentAttention& layer) {
  RecordReader in;
  LatentAttentionConfig config;
  config.d_model = in.integer();
  config.num_heads = in.integer();
  config.nope_dim = in.integer();
  config.rope_dim = in.integer();
  config.value_head_dim = in.integer();
  config.latent_dim = in.integer();
  config.query_latent_dim = in.optional_integer();
  LatentAttentionWeights weights;
  for (TensorArgument* weight : {&weights.query, &weights.query_down, &weights.latent, &weights.uk,
                                 &weights.uv, &weights.output}) {
    *weight = in.argument();
  }
  config.rotary = read_rotary(in);
  return succeeded(layer.create(config, weights));
}

// A call with its results, which live as long as it does.
class LatentOperation {
 public:
  bool attend() { return succeeded(attend_status()); }
  bool forward(const LatentAttention& layer) { return succeeded(forward_status(layer)); }
  bool step() { return succeeded(run_.step(&done_)); }
  bool done() const { return done_; }

  // Output, scores, weights.
  void results() const {
    const AttentionShape& s = shape_;
    RecordWriter out;
    if (d_model_ == 0) {
      out.tensor(output_.data(), s.batch, s.query_heads, s.query_length, s.value_head_dim);
    } else {
      out.tensor(output_.data(), s.batch, s.query_length, d_model_);
    }
    for (const auto* pairs : {&scores_, &weights_}) {
      out.tensor(pairs->data(), s.batch, s.query_heads, s.query_length, s.kv_length);
    }
  }

 private:
  Status attend_status() {
    RecordReader in;
    LatentAttentionInputs inputs;
    for (TensorArgument* input : {&inputs.query_nope, &inputs.query_rope, &inputs.latent,
                                  &inputs.key_rope, &inputs.uk, &inputs.uv}) {
      *input = in.argument();
    }
    const LatentOptions options = read_options(in);
    HEADWISE_RETURN_IF_ERROR(validate(inputs, options.call, &shape_));
    LatentAttentionResult result;
    HEADWISE_RETURN_IF_ERROR(take_results(options.wanted, shape_.output_size(), &result));
    return run_.begin(inputs, options.form, options.call, result);
  }

  Status forward_status(const LatentAttention& layer) {
    RecordReader in;
    LatentAttentionCall call;
    call.x = in.argument();
    const TensorValue positions = in.tensor();
    call.positions = positions.data<const std::int32_t>();
    call.positions_rank = positions.rank;
    call.positions_dims = positions.dims;
    const LatentOptions options = read_options(in);
    call.form = options.form;
    call.options = options.call;
    HEADWISE_RETURN_IF_ERROR(layer.validate(call, &shape_));
    d_model_ = layer.config().d_model;
    LatentAttentionResult result;
    const std::int64_t size = shape_.batch * shape_.query_length * d_model_;
    HEADWISE_RETURN_IF_ERROR(take_results(options.wanted, size, &result));
    return run_.begin(layer, call, result);
  }

  Status take_results(const WantedResults& wanted, std::int64_t output_size,
                      LatentAttentionResult* result) {
    HEADWISE_RETURN_IF_ERROR(output_.allocate(output_size, "output"));
    result->output = output_.data();
    result->scores_point = wanted.scores_point;
    if (result->scores_point != ScoresPoint::kNone) {
      HEADWISE_RETURN_IF_ERROR(scores_.allocate(shape_.scores_size(), "scores"));
      result->scores = scores_.data();
    }
    if (wanted.weights) {
      HEADWISE_RETURN_IF_ERROR(weights_.allocate(shape_.scores_size(), "weights"));
      result->weights = weights_.data();
    }
    return {};
  }

  AttentionShape shape_;
  std::int64_t d_model_ = 0;  // 0 = the op's output
  Buffer<float> output_, scores_, weights_;
  LatentAttentionRun run_;
  bool done_ = false;
};

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_latent_attention) {
  using namespace headwise::bindings;
  class_<headwise::LatentAttention>("LatentAttention").constructor<>().function("create", &create);

  class_<LatentOperation>("LatentOperation")
      .constructor<>()
      .function("attend", &LatentOperation::attend)
      .function("forward", &LatentOperation::forward)
      .function("step", &LatentOperation::step)
      .property("done", &LatentOperation::done)
      .function("results", &LatentOperation::results);
}
