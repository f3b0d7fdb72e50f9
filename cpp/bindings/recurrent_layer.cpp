// The recurrent layer as a handle, and one pass of it in slices of positions.
#include "headwise/recurrent_layer.hpp"

#include <emscripten/bind.h>

#include "record.hpp"
#include "status.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

bool create(RecurrentLayer& layer) {
  RecordReader in;
  RecurrentWeights weights;
  weights.input = in.argument();
  weights.hidden = in.argument();
  weights.bias = in.argument();
  return succeeded(layer.create(weights));
}

class RecurrentOperation {
 public:
  bool begin(const RecurrentLayer& layer) { return succeeded(begin_status(layer)); }

  Number positions() const { return static_cast<Number>(x_.dims[1]); }
  // Multiply-adds of one position.
  Number position_cost() const {
    return static_cast<Number>(x_.dims[0] * layer_->width() * layer_->width());
  }
  bool run(Number first, Number last) {
    Status status;
    for (auto at = static_cast<std::int64_t>(first); at < static_cast<std::int64_t>(last); ++at) {
      status = layer_->step(x_, output_.data(), at);
      if (!status.ok()) break;
    }
    return succeeded(status);
  }

  // Output.
  void results() const {
    RecordWriter().tensor(output_.data(), x_.dims[0], x_.dims[1], layer_->width());
  }

 private:
  Status begin_status(const RecurrentLayer& layer) {
    layer_ = &layer;
    x_ = RecordReader().argument();
    HEADWISE_RETURN_IF_ERROR(layer.validate(x_));
    HEADWISE_RETURN_IF_ERROR(output_.allocate(x_.dims[0] * x_.dims[1] * layer.width(), "output"));
    return layer.begin(x_, output_.data());
  }

  const RecurrentLayer* layer_ = nullptr;
  TensorArgument x_;
  Buffer<float> output_;
};

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_recurrent_layer) {
  using namespace headwise::bindings;
  class_<headwise::RecurrentLayer>("RecurrentLayer").constructor<>().function("create", &create);

  class_<RecurrentOperation>("RecurrentOperation")
      .constructor<>()
      .function("begin", &RecurrentOperation::begin)
      .property("positions", &RecurrentOperation::positions)
      .property("positionCost", &RecurrentOperation::position_cost)
      .function("run", &RecurrentOperation::run)
      .function("results", &RecurrentOperation::results);
}
