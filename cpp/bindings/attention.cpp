// The attention op as an operation in three parts, so that a Worker can hear messages between the
// slices of a long one: `prepare` judges the call and takes the memory for the results, `run`
// computes some of its tasks, the getters tell where the results lie.
#include "headwise/attention.hpp"

#include <emscripten/bind.h>

#include "headwise/key_value_cache.hpp"
#include "values.hpp"
#include "visibility.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

struct AttentionValue {
  TensorValue query, key, value, past_key, past_value;
  std::optional<Number> num_heads, kv_heads, scale;
  VisibilityValue visibility;
  TensorValue kv_lengths;  // rank 1
};

AttentionCall attention_call(const AttentionValue& value) {
  AttentionCall call;
  call.query = tensor_argument(value.query);
  call.key = tensor_argument(value.key);
  call.value = tensor_argument(value.value);
  call.past_key = tensor_argument(value.past_key);
  call.past_value = tensor_argument(value.past_value);
  call.num_heads = integer(value.num_heads);
  call.kv_heads = integer(value.kv_heads);
  call.scale = value.scale;
  set_visibility(value.visibility, &call);
  if (value.kv_lengths.rank != 0) {
    call.kv_lengths = pointer_to<const std::int32_t>(value.kv_lengths.address);
    call.kv_lengths_size = static_cast<std::int64_t>(value.kv_lengths.dims[0]);
  }
  return call;
}

class AttentionOperation {
 public:
  // `cache` may be null; else the call's keys and values are appended to it, unless it fails.
  StatusValue prepare(const AttentionValue& value, KeyValueCache* cache) {
    return to_value(prepare_status(value, cache));
  }

  Number tasks() const { return static_cast<Number>(plan_.tasks()); }
  Number task_cost() const { return plan_.task_cost(); }
  void run(Number first, Number last) {
    plan_.run(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last));
  }

  TensorValue output() const {
    const auto& s = shape_;
    return s.packed ? tensor_value(output_.data(), s.batch, s.query_length,
                                   s.query_heads * s.value_head_dim)
                    : tensor_value(output_.data(), s.batch, s.query_heads, s.query_length,
                                   s.value_head_dim);
  }
  TensorValue scores() const { return pairs(scores_); }
  TensorValue weights() const { return pairs(weights_); }
  TensorValue present_key() const { return present(present_key_, shape_.head_dim); }
  TensorValue present_value() const { return present(present_value_, shape_.value_head_dim); }

 private:
  Status prepare_status(const AttentionValue& value, KeyValueCache* cache) {
    AttentionCall call = attention_call(value);
    if (cache != nullptr) cache->describe(&call);
    HEADWISE_RETURN_IF_ERROR(validate(call, &shape_));
    HEADWISE_RETURN_IF_ERROR(output_.allocate(shape_.output_size(), "output"));
    const auto point = scores_point(value.visibility);
    if (point != ScoresPoint::kNone) {
      HEADWISE_RETURN_IF_ERROR(scores_.allocate(shape_.scores_size(), "scores"));
    }
    if (value.visibility.return_weights) {
      HEADWISE_RETURN_IF_ERROR(weights_.allocate(shape_.scores_size(), "weights"));
    }
    if (call.past_key.given()) HEADWISE_RETURN_IF_ERROR(join_past(call));

    AttentionProblem problem = resolve(call, shape_, present_key_.data(), present_value_.data());
    problem.output = output_view();
    problem.scores_point = point;
    problem.scores = scores_.data();
    problem.weights = weights_.data();
    return cache == nullptr ? plan_.prepare(problem) : prepare_cached(problem, cache);
  }

  Status prepare_cached(AttentionProblem& problem, KeyValueCache* cache) {
    const std::int64_t length = cache->length();
    cache->append(problem.key, problem.value);
    cache->attach(&problem);
    const Status status = plan_.prepare(problem);
    if (!status.ok()) static_cast<void>(cache->truncate(length));
    return status;
  }

  Status join_past(const AttentionCall& call) {
    HEADWISE_RETURN_IF_ERROR(present_key_.allocate(shape_.present_key_size(), "presentKey"));
    HEADWISE_RETURN_IF_ERROR(present_value_.allocate(shape_.present_value_size(), "presentValue"));
    concatenate_past(call.past_key, heads_view(call.key, shape_.kv_heads), present_key_.data());
    concatenate_past(call.past_value, heads_view(call.value, shape_.kv_heads),
                     present_value_.data());
    return {};
  }

  Tensor<float, 4> output_view() {
    const auto& s = shape_;
    if (!s.packed) {
      return Tensor<float, 4>::contiguous(
          output_.data(), {s.batch, s.query_heads, s.query_length, s.value_head_dim});
    }
    const auto joined = Tensor<float, 3>::contiguous(
        output_.data(), {s.batch, s.query_length, s.query_heads * s.value_head_dim});
    return split_heads(joined, s.query_heads);
  }

  TensorValue pairs(const Buffer<float>& buffer) const {
    if (buffer.data() == nullptr) return {};
    return tensor_value(buffer.data(), shape_.batch, shape_.query_heads, shape_.query_length,
                        shape_.kv_length);
  }
  TensorValue present(const Buffer<float>& buffer, std::int64_t width) const {
    if (buffer.data() == nullptr) return {};
    return tensor_value(buffer.data(), shape_.batch, shape_.kv_heads, shape_.kv_length, width);
  }

  AttentionShape shape_;
  AttentionPlan plan_;
  Buffer<float> output_, scores_, weights_, present_key_, present_value_;
};

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_attention) {
  using namespace headwise::bindings;
  value_object<AttentionValue>("Attention")
      .field("query", &AttentionValue::query)
      .field("key", &AttentionValue::key)
      .field("value", &AttentionValue::value)
      .field("pastKey", &AttentionValue::past_key)
      .field("pastValue", &AttentionValue::past_value)
      .field("numHeads", &AttentionValue::num_heads)
      .field("kvHeads", &AttentionValue::kv_heads)
      .field("scale", &AttentionValue::scale)
      .field("visibility", &AttentionValue::visibility)
      .field("kvLengths", &AttentionValue::kv_lengths);
  class_<AttentionOperation>("AttentionOperation")
      .constructor<>()
      .function("prepare", &AttentionOperation::prepare, allow_raw_pointers())
      .property("tasks", &AttentionOperation::tasks)
      .property("taskCost", &AttentionOperation::task_cost)
      .function("run", &AttentionOperation::run)
      .property("output", &AttentionOperation::output)
      .property("scores", &AttentionOperation::scores)
      .property("weights", &AttentionOperation::weights)
      .property("presentKey", &AttentionOperation::present_key)
      .property("presentValue", &AttentionOperation::present_value);
}
