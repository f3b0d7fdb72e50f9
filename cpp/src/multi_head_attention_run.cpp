// The layer's forward pass: judge the call, project, attend, project back - in slices.
#include <algorithm>
#include <array>

#include "head_layout.hpp"
#include "headwise/alibi.hpp"
#include "headwise/multi_head_attention.hpp"
#include "headwise/parallel.hpp"
#include "slices.hpp"
#include "text.hpp"

namespace headwise {

namespace {

using Part = MultiHeadAttention::Part;

Status check_input(const TensorArgument& input, const char* name, const char* expected) {
  if (!input.given()) return Status::invalid(name, expected, "nothing");
  if (input.rank != 3) {
    return Status::invalid(name, expected,
                           "rank " + text(std::int64_t{input.rank}) + ", dims " +
                               shape_text(input.dims, std::min(input.rank, 8)));
  }
  return {};
}

Status check_width(const TensorArgument& input, const char* input_name, std::int64_t width,
                   const char* weight_name) {
  if (input.dims[2] == width) return {};
  return Status::invalid(
      weight_name,
      text(input.dims[2]) + " columns, as " + input_name + " has in " + shape_text(input.dims, 3),
      text(width) + " columns");
}

Status check_positions(const MultiHeadAttentionCall& call, bool rotary) {
  if (call.positions_rank == 0) return {};
  if (!rotary) return Status::invalid("positions", "a layer with rotary positions", "one without");
  const std::int64_t batch = call.query.dims[0];
  const std::int64_t length = call.query.dims[1];
  const auto& dims = call.positions_dims;
  const bool fits = (call.positions_rank == 1 && dims[0] == length) ||
                    (call.positions_rank == 2 && dims[0] == batch && dims[1] == length);
  if (fits) return {};
  return Status::invalid("positions",
                         shape_text(std::array{length}, 1) + " or " +
                             shape_text(std::array{batch, length}, 2) + ", one for each query",
                         shape_text(dims, std::min(call.positions_rank, 8)));
}

}  // namespace

// The call that the op gets, in the shapes of the projected heads.
AttentionCall MultiHeadAttention::projected_call(const MultiHeadAttentionCall& call) const {
  const TensorArgument& key = call.key.given() ? call.key : call.query;
  const TensorArgument& value = call.value.given() ? call.value : call.query;
  AttentionCall heads = call.options;
  heads.query = {nullptr, 3, {call.query.dims[0], call.query.dims[1], shape_.query_width()}};
  heads.key = {nullptr, 3, {key.dims[0], key.dims[1], shape_.key_width()}};
  heads.value = {nullptr, 3, {value.dims[0], value.dims[1], shape_.value_width()}};
  heads.num_heads = shape_.query_heads;
  heads.kv_heads = shape_.kv_heads;
  if (call.cache != nullptr) call.cache->describe(&heads);
  return heads;
}

Status MultiHeadAttention::validate(const MultiHeadAttentionCall& call,
                                    AttentionShape* shape) const {
  HEADWISE_RETURN_IF_ERROR(check_input(call.query, "query", "rank 3 [B, Sq, dModel]"));
  if (call.query.dims[2] != shape_.d_model) {
    return Status::invalid("query", "dModel = " + text(shape_.d_model) + " columns",
                           text(call.query.dims[2]) + " columns");
  }
  if (call.key.given() != call.value.given()) {
    const bool key = call.key.given();
    return Status::invalid(key ? "value" : "key", "key and value together, or neither",
                           key ? "key without value" : "value without key");
  }
  const TensorArgument& key = call.key.given() ? call.key : call.query;
  const TensorArgument& value = call.value.given() ? call.value : call.query;
  const char* key_name = call.key.given() ? "key" : "query";
  const char* value_name = call.value.given() ? "value" : "query";
  HEADWISE_RETURN_IF_ERROR(check_input(key, "key", "rank 3 [B, Skv, keyInputDim]"));
  HEADWISE_RETURN_IF_ERROR(check_input(value, "value", "rank 3 [B, Skv, valueInputDim]"));
  HEADWISE_RETURN_IF_ERROR(check_width(key, key_name, shape_.key_input_dim, "weights.key"));
  HEADWISE_RETURN_IF_ERROR(check_width(value, value_name, shape_.value_input_dim, "weights.value"));
  HEADWISE_RETURN_IF_ERROR(check_positions(call, config_.rotary.has_value()));
  if (call.options.past_key.given() || call.options.past_value.given()) {
    return Status::invalid("pastKey", "a cache, in a layer", "a tensor");
  }
  return headwise::validate(projected_call(call), shape);
}

Status MultiHeadAttentionRun::begin(const MultiHeadAttention& layer,
                                    const MultiHeadAttentionCall& call,
                                    const MultiHeadAttentionResult& result) {
  stage_ = Stage::kDone;
  HEADWISE_RETURN_IF_ERROR(layer.validate(call, &shape_));
  layer_ = &layer;
  call_ = call;
  result_ = result;
  heads_call_ = layer.projected_call(call);
  values_wanted_ = result.output != nullptr || result.heads != nullptr || result.z != nullptr ||
                   result.v != nullptr || call.cache != nullptr;
  HEADWISE_RETURN_IF_ERROR(plan_projections());
  stage_ = Stage::kProject;
  return {};
}

namespace {

// x [B, S, C] as rows [B * S, C].
Tensor<const float, 2> rows_of(const TensorArgument& x) {
  return Tensor<const float, 2>::contiguous(x.data, {x.dims[0] * x.dims[1], x.dims[2]});
}

// Columns [first, first + heads * head_dim) of rows [B * S, stride] as [B, H, S, D].
Tensor<float, 4> heads_of(float* rows, std::int64_t stride, std::int64_t first,
                          const std::array<std::int64_t, 4>& dims) {
  return {rows + first, dims, {dims[2] * stride, dims[3], stride, 1}};
}

}  // namespace

Status MultiHeadAttentionRun::plan_projections() {
  const MultiHeadAttentionShape& s = layer_->shape();
  const bool self = !call_.key.given();
  const auto query = layer_->place(Part::kQuery);
  const auto key = layer_->place(Part::kKey);
  const auto value = layer_->place(Part::kValue);
  const std::int64_t query_rows = shape_.batch * shape_.query_length;
  const std::int64_t key_rows = shape_.batch * shape_.new_length;
  // Columns of the row buffers: [q | k | v], or [q] and [k | v]; in the order of a fused matrix.
  const std::int64_t key_column = self ? key.first_row : 0;
  const std::int64_t value_column = self ? value.first_row : (s.key_width() + 7) / 8 * 8;
  const std::int64_t key_stride =
      values_wanted_ ? value_column + s.value_width() : key_column + s.key_width();
  const std::int64_t query_stride = self ? key_stride : s.query_width();
  HEADWISE_RETURN_IF_ERROR(query_rows_.reserve(query_rows * query_stride, "projected queries"));
  if (!self) {
    HEADWISE_RETURN_IF_ERROR(key_rows_.reserve(key_rows * key_stride, "projected keys"));
  }
  float* key_data = self ? query_rows_.data() : key_rows_.data();

  products_.clear();
  const auto add = [&](const MultiHeadAttention::Place& place, const TensorArgument& input,
                       float* target, std::int64_t stride, std::int64_t width) {
    products_.push_back({place.linear,
                         rows_of(input),
                         {target, {input.dims[0] * input.dims[1], width}, {stride, 1}},
                         {.first_output = place.first_row, .outputs = width}});
  };
  if (self) {
    add(query, call_.query, query_rows_.data(), query_stride, query_stride);
  } else {
    add(query, call_.query, query_rows_.data(), query_stride, s.query_width());
    add(key, call_.key, key_data, key_stride, s.key_width());
    if (values_wanted_) {
      add(value, call_.value, key_data + value_column, key_stride, s.value_width());
    }
  }
  next_product_ = 0;
  next_row_ = 0;

  const std::int64_t b = shape_.batch;
  q_ = heads_of(query_rows_.data(), query_stride, 0,
                {b, s.query_heads, shape_.query_length, s.head_dim});
  k_ = heads_of(key_data, key_stride, key_column, {b, s.kv_heads, shape_.new_length, s.head_dim});
  v_ = values_wanted_ ? heads_of(key_data, key_stride, value_column,
                                 {b, s.kv_heads, shape_.new_length, s.value_head_dim})
                      : k_;
  return {};
}

Status MultiHeadAttentionRun::multiply_some() {
  double cost = 0.0;
  while (next_product_ < products_.size() && cost < kSliceCost) {
    const Product& product = products_[next_product_];
    const std::int64_t rows = product.input.dims[0];
    const std::int64_t inputs =
        product.options.inputs < 0 ? product.input.dims[1] : product.options.inputs;
    const double row_cost =
        static_cast<double>(inputs) * static_cast<double>(product.target.dims[1]);
    const std::int64_t fitting = static_cast<std::int64_t>((kSliceCost - cost) / row_cost) + 96;
    const std::int64_t last = std::min(rows, next_row_ + fitting);
    Tensor<const float, 2> input = product.input;
    Tensor<float, 2> target = product.target;
    input.data += next_row_ * input.strides[0];
    target.data += next_row_ * target.strides[0];
    input.dims[0] = target.dims[0] = last - next_row_;
    HEADWISE_RETURN_IF_ERROR(product.linear->forward(input, target, product.options));
    cost += row_cost * static_cast<double>(last - next_row_);
    next_row_ = last;
    if (next_row_ == rows) {
      ++next_product_;
      next_row_ = 0;
    }
  }
  return {};
}

void MultiHeadAttentionRun::copy_projections() const {
  if (result_.q != nullptr) copy_by_position(q_, result_.q);
  if (result_.k != nullptr) copy_by_position(k_, result_.k);
  if (result_.v != nullptr) copy_by_position(v_, result_.v);
}

Status MultiHeadAttentionRun::rotate() {
  const auto& rotary = layer_->config().rotary;
  if (!rotary.has_value()) return {};
  const std::int64_t head_dim = layer_->shape().head_dim;
  const std::int64_t count =
      call_.positions_rank == 2 ? shape_.batch * shape_.query_length : shape_.query_length;
  RotaryTable table;
  HEADWISE_RETURN_IF_ERROR(table.create(*rotary, head_dim,
                                        call_.positions_rank == 0 ? nullptr : call_.positions,
                                        shape_.past_length, count));
  table.rotate(q_);
  if (call_.key.given()) {
    HEADWISE_RETURN_IF_ERROR(
        table.create(*rotary, head_dim, nullptr, shape_.past_length, shape_.new_length));
  }
  table.rotate(k_);
  if (result_.rotated_q != nullptr) copy_by_position(q_, result_.rotated_q);
  if (result_.rotated_k != nullptr) copy_by_position(k_, result_.rotated_k);
  return {};
}

Status MultiHeadAttentionRun::prepare_attention() {
  copy_projections();
  HEADWISE_RETURN_IF_ERROR(rotate());
  const std::int64_t heads = shape_.query_heads;
  const std::int64_t width = heads * v_.dims[3];
  HEADWISE_RETURN_IF_ERROR(z_.reserve(shape_.batch * shape_.query_length * width, "head results"));
  AttentionProblem problem = resolve(heads_call_, shape_, nullptr, nullptr);
  problem.query = q_;
  problem.key = k_;
  problem.value = v_;
  problem.output =
      heads_of(z_.data(), width, 0, {shape_.batch, heads, shape_.query_length, v_.dims[3]});
  problem.scores_point = result_.scores == nullptr ? ScoresPoint::kNone : result_.scores_point;
  problem.scores = result_.scores;
  problem.weights = result_.weights;
  if (call_.distance_bias != nullptr) {  // a row of the bias starts one entry before the row above
    const std::int64_t band = shape_.query_length + shape_.kv_length - 1;
    problem.mask.bias = call_.distance_bias + shape_.query_length - 1;
    problem.mask.strides = {0, band, -1, 1};
    problem.mask.key_length = shape_.kv_length;
  } else if (layer_->config().alibi) {
    HEADWISE_RETURN_IF_ERROR(
        add_alibi(layer_->alibi_slopes_.data(), shape_.kv_length, &problem, &alibi_));
  }
  next_task_ = 0;
  if (call_.cache == nullptr) return plan_.prepare(problem);
  call_.cache->append(k_, v_);
  call_.cache->attach(&problem);
  Status status = plan_.prepare(problem);
  if (!status.ok()) (void)call_.cache->truncate(shape_.past_length);  // a failed call adds nothing
  return status;
}

void MultiHeadAttentionRun::attend_some() {
  // Work for every thread: they wait for each other at a slice's end.
  const std::int64_t count = pieces_in_slice(plan_.task_cost()) * thread_count();
  const std::int64_t last = std::min(plan_.tasks(), next_task_ + count);
  plan_.run(next_task_, last);
  next_task_ = last;
}

void MultiHeadAttentionRun::plan_outputs() {
  const MultiHeadAttentionShape& s = layer_->shape();
  products_.clear();
  next_product_ = 0;
  next_row_ = 0;
  if (!values_wanted_) return;
  const std::int64_t rows = shape_.batch * shape_.query_length;
  const std::int64_t width = s.z_width();
  if (result_.edit_z) {
    result_.edit_z(heads_of(z_.data(), width, 0,
                            {shape_.batch, s.query_heads, shape_.query_length, s.value_head_dim}));
  }
  if (result_.z != nullptr) std::copy_n(z_.data(), rows * width, result_.z);
  const Linear* output = layer_->place(Part::kOutput).linear;
  if (result_.output != nullptr) {
    products_.push_back({output,
                         Tensor<const float, 2>::contiguous(z_.data(), {rows, width}),
                         Tensor<float, 2>::contiguous(result_.output, {rows, s.d_model}),
                         {}});
  }
  if (result_.heads == nullptr) return;
  const std::int64_t share = shape_.query_length * s.d_model;
  for (std::int64_t b = 0; b < shape_.batch; ++b) {
    const auto z = Tensor<const float, 2>::contiguous(z_.data() + b * shape_.query_length * width,
                                                      {shape_.query_length, width});
    for (std::int64_t h = 0; h < s.query_heads; ++h) {
      products_.push_back(
          {output,
           z,
           Tensor<float, 2>::contiguous(result_.heads + (b * s.query_heads + h) * share,
                                        {shape_.query_length, s.d_model}),
           {.first_input = h * s.value_head_dim, .inputs = s.value_head_dim, .bias = false}});
    }
  }
}

Status MultiHeadAttentionRun::step(bool* done) {
  switch (stage_) {
    case Stage::kProject:
      HEADWISE_RETURN_IF_ERROR(multiply_some());
      if (next_product_ == products_.size()) {
        HEADWISE_RETURN_IF_ERROR(prepare_attention());
        stage_ = Stage::kAttend;
      }
      break;
    case Stage::kAttend:
      attend_some();
      if (next_task_ == plan_.tasks()) {
        plan_outputs();
        stage_ = Stage::kOutput;
      }
      break;
    case Stage::kOutput:
      HEADWISE_RETURN_IF_ERROR(multiply_some());
      if (next_product_ == products_.size()) stage_ = Stage::kDone;
      break;
    case Stage::kDone:
      break;
  }
  *done = stage_ == Stage::kDone;
  return {};
}

Status MultiHeadAttentionRun::finish() {
  for (bool done = false; !done;) HEADWISE_RETURN_IF_ERROR(step(&done));
  return {};
}

Status forward(const MultiHeadAttention& layer, const MultiHeadAttentionCall& call,
               const MultiHeadAttentionResult& result) {
  MultiHeadAttentionRun run;
  HEADWISE_RETURN_IF_ERROR(run.begin(layer, call, result));
  return run.finish();
}

}  // namespace headwise
