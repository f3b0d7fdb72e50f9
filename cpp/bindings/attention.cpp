// The attention op as an operation in parts, so that a Worker can hear messages between the slices
// of a long one: `prepare` reads and judges the call and takes the memory for the results, `begin`
// and `finish` compute some of its tasks, `results` writes where the results lie, `release` gives
// all memory back for the next call.
#include "headwise/attention.hpp"

#include <emscripten/bind.h>

#include "headwise/key_value_cache.hpp"
#include "record.hpp"
#include "status.hpp"
#include "visibility.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

WantedResults read_call(RecordReader& in, AttentionCall* call) {
  call->query = in.argument();
  call->key = in.argument();
  call->value = in.argument();
  call->past_key = in.argument();
  call->past_value = in.argument();
  call->num_heads = in.optional_integer();
  call->kv_heads = in.optional_integer();
  call->scale = in.optional_number();
  const TensorValue kv_lengths = in.tensor();  // rank 1
  if (kv_lengths.given()) {
    call->kv_lengths = kv_lengths.data<const std::int32_t>();
    call->kv_lengths_size = kv_lengths.dims[0];
  }
  return read_visibility(in, call);
}

class AttentionOperation {
 public:
  // `cache` may be null; else the call's keys and values are appended to it, unless it fails.
  bool prepare(KeyValueCache* cache) { return succeeded(prepare_status(cache)); }

  Number tasks() const { return static_cast<Number>(plan_.tasks()); }
  Number task_cost() const { return plan_.task_cost(); }
  void begin(Number first, Number last) {
    plan_.begin(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last));
  }
  void finish() { plan_.finish(); }

  // Output, scores, weights, present key, present value.
  void results() const {
    const AttentionShape& s = shape_;
    RecordWriter out;
    if (s.packed) {
      out.tensor(output_.data(), s.batch, s.query_length, s.query_heads * s.value_head_dim);
    } else {
      out.tensor(output_.data(), s.batch, s.query_heads, s.query_length, s.value_head_dim);
    }
    for (const auto* pairs : {&scores_, &weights_}) {
      out.tensor(pairs->data(), s.batch, s.query_heads, s.query_length, s.kv_length);
    }
    out.tensor(present_key_.data(), s.batch, s.kv_heads, s.kv_length, s.head_dim);
    out.tensor(present_value_.data(), s.batch, s.kv_heads, s.kv_length, s.value_head_dim);
  }

  void release() { *this = {}; }

 private:
  Status prepare_status(KeyValueCache* cache) {
    RecordReader in;
    AttentionCall call;
    const WantedResults wanted = read_call(in, &call);
    if (cache != nullptr) cache->describe(&call);
    HEADWISE_RETURN_IF_ERROR(validate(call, &shape_));
    HEADWISE_RETURN_IF_ERROR(output_.allocate(shape_.output_size(), "output"));
    if (wanted.scores_point != ScoresPoint::kNone) {
      HEADWISE_RETURN_IF_ERROR(scores_.allocate(shape_.scores_size(), "scores"));
    }
    if (wanted.weights) {
      HEADWISE_RETURN_IF_ERROR(weights_.allocate(shape_.scores_size(), "weights"));
    }
    if (call.past_key.given()) HEADWISE_RETURN_IF_ERROR(join_past(call));

    AttentionProblem problem = resolve(call, shape_, present_key_.data(), present_value_.data());
    problem.output = output_view();
    problem.scores_point = wanted.scores_point;
    problem.scores = scores_.data();
    problem.weights = weights_.data();
    return cache == nullptr ? plan_.prepare(problem) : prepare_cached(problem, cache);
  }

  Status prepare_cached(AttentionProblem& problem, KeyValueCache* cache) {
    const std::int64_t length = cache->length();
    cache->append(problem.key, problem.value);
    cache->attach(&problem);
    Status status = plan_.prepare(problem);
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

  AttentionShape shape_;
  AttentionPlan plan_;
  Buffer<float> output_, scores_, weights_, present_key_, present_value_;
};

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_attention) {
  using namespace headwise::bindings;
  class_<AttentionOperation>("AttentionOperation")
      .constructor<>()
      .function("prepare", &AttentionOperation::prepare, allow_raw_pointers())
      .property("tasks", &AttentionOperation::tasks)
      .property("taskCost", &AttentionOperation::task_cost)
      .function("begin", &AttentionOperation::begin)
      .function("finish", &AttentionOperation::finish)
      .function("results", &AttentionOperation::results)
      .function("release", &AttentionOperation::release);
}
