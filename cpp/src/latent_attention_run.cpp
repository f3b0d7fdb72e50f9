// Project, make what the heads read, attend, raise the sums of latents, project back - in slices.
#include "headwise/latent_attention_run.hpp"

#include <algorithm>
#include <vector>

#include "headwise/parallel.hpp"
#include "kernels/tile.hpp"
#include "latent_attention_parts.hpp"
#include "slices.hpp"

namespace headwise {

namespace {

// Heads start at a panel's edge, so that each can be computed alone.
constexpr std::int64_t padded(std::int64_t columns) {
  return (columns + kernels::kPanelColumns - 1) / kernels::kPanelColumns * kernels::kPanelColumns;
}

// A linear layer of `heads` parts [out, in] from matrices [heads, out, in], or [heads, in, out].
Status pack_heads(const float* matrices, std::int64_t heads, std::int64_t out, std::int64_t in,
                  bool transposed, Linear* linear) {
  HEADWISE_RETURN_IF_ERROR(linear->create(in, heads * padded(out), WeightType::kFloat32, false));
  std::vector<float> row(static_cast<std::size_t>(in));
  for (std::int64_t h = 0; h < heads; ++h) {
    const float* matrix = matrices + h * out * in;
    for (std::int64_t o = 0; o < out; ++o) {
      for (std::int64_t i = 0; i < in; ++i) {
        row[static_cast<std::size_t>(i)] = transposed ? matrix[i * out + o] : matrix[o * in + i];
      }
      linear->set_rows(h * padded(out) + o, 1, row.data());
    }
  }
  return {};
}

template <class T>
Tensor<T, 2> rows_of(const Tensor<T, 4>& x, std::int64_t b, std::int64_t h) {
  return {x.at(b, h), {x.dims[2], x.dims[3]}, {x.strides[2], x.strides[3]}};
}

template <class T>
Tensor<T, 2> rows_of(const Tensor<T, 3>& x, std::int64_t b) {
  return {x.at(b), {x.dims[1], x.dims[2]}, {x.strides[1], x.strides[2]}};
}

void copy_rows(const Tensor<const float, 2>& x, const Tensor<float, 2>& y) {
  for (std::int64_t i = 0; i < x.dims[0]; ++i) std::copy_n(x.at(i), x.dims[1], y.at(i));
}

Tensor<const float, 3> view(const TensorArgument& tensor) {
  return Tensor<const float, 3>::contiguous(tensor.data,
                                            {tensor.dims[0], tensor.dims[1], tensor.dims[2]});
}

// Some columns of every head.
Tensor<float, 4> part(Tensor<float, 4> heads, std::int64_t first, std::int64_t columns) {
  heads.data += first;
  heads.dims[3] = columns;
  return heads;
}

Tensor<const float, 3> without_heads(const Tensor<float, 4>& t) {
  return {t.data, {t.dims[0], t.dims[2], t.dims[3]}, {t.strides[0], t.strides[2], t.strides[3]}};
}

// [B, S, H, D] contiguous, seen as [B, H, S, columns] from column `first` of each head on.
Tensor<float, 4> by_head(float* data, std::int64_t batch, std::int64_t length, std::int64_t heads,
                         std::int64_t width, std::int64_t first, std::int64_t columns) {
  return {data + first,
          {batch, heads, length, columns},
          {length * heads * width, width, heads * width, 1}};
}

}  // namespace

Status LatentWeights::create(const LatentAttentionSizes& sizes, const float* uk, const float* uv) {
  sizes_ = sizes;
  HEADWISE_RETURN_IF_ERROR(
      pack_heads(uk, sizes.heads, sizes.nope_dim, sizes.latent_dim, true, &key_up_));
  HEADWISE_RETURN_IF_ERROR(
      pack_heads(uk, sizes.heads, sizes.latent_dim, sizes.nope_dim, false, &query_absorb_));
  return pack_heads(uv, sizes.heads, sizes.value_head_dim, sizes.latent_dim, true, &value_up_);
}

AttentionCall expanded_call(const LatentAttentionSizes& s, std::int64_t batch,
                            std::int64_t query_length, std::int64_t kv_length,
                            const AttentionCall& options) {
  AttentionCall call = options;
  const std::int64_t head_dim = s.nope_dim + s.rope_dim;
  call.query = {nullptr, 4, {batch, s.heads, query_length, head_dim}};
  call.key = {nullptr, 4, {batch, s.heads, kv_length, head_dim}};
  call.value = {nullptr, 4, {batch, s.heads, kv_length, s.value_head_dim}};
  call.past_key = call.past_value = {};
  call.num_heads = call.kv_heads = std::nullopt;
  call.cache_length = std::nullopt;
  return call;
}

Status LatentAttentionRun::begin(const LatentAttentionInputs& inputs, LatentForm form,
                                 const AttentionCall& options,
                                 const LatentAttentionResult& result) {
  HEADWISE_RETURN_IF_ERROR(validate(inputs, options, &shape_));
  const LatentAttentionSizes s = sizes_of(inputs);
  HEADWISE_RETURN_IF_ERROR(own_weights_.create(s, inputs.uk.data, inputs.uv.data));
  weights_ = &own_weights_;
  layer_ = nullptr;
  result_ = result;
  views_ = {
      .query_nope = heads_view(inputs.query_nope, s.heads),
      .query_rope = heads_view(inputs.query_rope, s.heads),
      .latent = view(inputs.latent),
      .key_rope = view(inputs.key_rope),
      .output = Tensor<float, 4>::contiguous(
          result.output, {shape_.batch, s.heads, shape_.query_length, s.value_head_dim}),
  };
  HEADWISE_RETURN_IF_ERROR(start(form, options));
  enter(Phase::kPrepare);
  return {};
}

Status LatentAttentionRun::begin(const LatentAttention& layer, const LatentAttentionCall& call,
                                 const LatentAttentionResult& result) {
  HEADWISE_RETURN_IF_ERROR(layer.validate(call, &shape_));
  weights_ = &layer.weights_;
  layer_ = &layer;
  layer_call_ = call;
  result_ = result;
  HEADWISE_RETURN_IF_ERROR(query_rows_.allocate(rows() * layer.query_.out(), "queries"));
  HEADWISE_RETURN_IF_ERROR(latent_rows_.allocate(rows() * layer.latent_.out(), "latents"));
  HEADWISE_RETURN_IF_ERROR(z_.allocate(rows() * layer.output_.in(), "head results"));
  HEADWISE_RETURN_IF_ERROR(start(call.form, call.options));
  enter(Phase::kProject);
  return {};
}

// The problem of the op on heads, but for its tensors.
Status LatentAttentionRun::start(LatentForm form, const AttentionCall& options) {
  form_ = form;
  call_ =
      expanded_call(weights_->sizes_, shape_.batch, shape_.query_length, shape_.kv_length, options);
  problem_ = resolve(call_, shape_, nullptr, nullptr);
  problem_.scores_point = result_.scores == nullptr ? ScoresPoint::kNone : result_.scores_point;
  problem_.scores = result_.scores;
  problem_.weights = result_.weights;
  return form == LatentForm::kExpanded ? plan_expanded() : plan_absorbed();
}

void LatentAttentionRun::enter(Phase phase) {
  phase_ = phase;
  next_ = 0;
}

Status LatentAttentionRun::finish() {
  for (bool done = false; !done;) HEADWISE_RETURN_IF_ERROR(step(&done));
  return {};
}

Status LatentAttentionRun::step(bool* done) {
  // Pieces of attention are done by all threads at once, the others one after the other.
  const std::int64_t threads = phase_ == Phase::kAttend ? thread_count() : 1;
  const std::int64_t last = std::min(pieces(), next_ + pieces_in_slice(piece_cost()) * threads);
  switch (phase_) {
    case Phase::kProject:
      HEADWISE_RETURN_IF_ERROR(project(next_, last - next_));
      break;
    case Phase::kPrepare:
      for (; next_ < last; ++next_) HEADWISE_RETURN_IF_ERROR(prepare(next_));
      break;
    case Phase::kAttend:
      plan_.run(next_, last);
      break;
    case Phase::kRaise:
      for (; next_ < last; ++next_) HEADWISE_RETURN_IF_ERROR(raise(next_));
      break;
    case Phase::kOutput:
      HEADWISE_RETURN_IF_ERROR(put_out(next_, last - next_));
      break;
    case Phase::kDone:
      break;
  }
  next_ = last;
  if (next_ == pieces()) HEADWISE_RETURN_IF_ERROR(leave());
  *done = phase_ == Phase::kDone;
  return {};
}

// From a phase that is through to the next.
Status LatentAttentionRun::leave() {
  const Phase last = layer_ == nullptr ? Phase::kDone : Phase::kOutput;
  switch (phase_) {
    case Phase::kProject:
      HEADWISE_RETURN_IF_ERROR(split_projections());
      enter(Phase::kPrepare);
      break;
    case Phase::kPrepare:
      if (form_ == LatentForm::kExpanded) problem_.output = views_.output;
      HEADWISE_RETURN_IF_ERROR(plan_.prepare(problem_));
      enter(Phase::kAttend);
      break;
    case Phase::kAttend:
      enter(form_ == LatentForm::kAbsorbed ? Phase::kRaise : last);
      break;
    case Phase::kRaise:
      enter(last);
      break;
    case Phase::kOutput:
    case Phase::kDone:
      enter(Phase::kDone);
      break;
  }
  return {};
}

// Rows where the layer's own matrices work, else heads.
std::int64_t LatentAttentionRun::pieces() const {
  switch (phase_) {
    case Phase::kProject:
    case Phase::kOutput:
      return rows();
    case Phase::kPrepare:
    case Phase::kRaise:
      return shape_.batch * weights_->sizes_.heads;
    case Phase::kAttend:
      return plan_.tasks();
    case Phase::kDone:
      return 0;
  }
  return 0;
}

double LatentAttentionRun::piece_cost() const {
  const LatentAttentionSizes& s = weights_->sizes_;
  const auto product = [](std::int64_t a, std::int64_t b) { return static_cast<double>(a * b); };
  switch (phase_) {
    case Phase::kProject: {
      const Linear& down = layer_->query_down_;
      return product(layer_->query_.in(), layer_->query_.out()) +
             product(layer_->latent_.in(), layer_->latent_.out()) + product(down.in(), down.out());
    }
    case Phase::kPrepare:
      return form_ == LatentForm::kExpanded
                 ? product(shape_.kv_length * s.latent_dim, s.nope_dim + s.value_head_dim)
                 : product(shape_.query_length * s.latent_dim, s.nope_dim);
    case Phase::kAttend:
      return plan_.task_cost();
    case Phase::kRaise:
      return product(shape_.query_length * s.latent_dim, s.value_head_dim);
    case Phase::kOutput:
      return product(layer_->output_.in(), layer_->output_.out());
    case Phase::kDone:
      return 0.0;
  }
  return 0.0;
}

// Some rows of x, through the layer's query and latent matrices.
Status LatentAttentionRun::project(std::int64_t first, std::int64_t count) {
  const std::int64_t width = layer_->config_.d_model;
  const auto x =
      Tensor<const float, 2>::contiguous(layer_call_.x.data + first * width, {count, width});
  HEADWISE_RETURN_IF_ERROR(project_query(x, first));
  const std::int64_t latents = layer_->latent_.out();
  return layer_->latent_.forward(
      x, Tensor<float, 2>::contiguous(latent_rows_.data() + first * latents, {count, latents}));
}

Status LatentAttentionRun::project_query(const Tensor<const float, 2>& x, std::int64_t first) {
  const std::int64_t count = x.dims[0];
  const std::int64_t width = layer_->query_.out();
  const auto target =
      Tensor<float, 2>::contiguous(query_rows_.data() + first * width, {count, width});
  if (!layer_->config_.query_latent_dim.has_value()) return layer_->query_.forward(x, target);
  const std::int64_t narrow = layer_->query_down_.out();
  Buffer<float> latents;
  HEADWISE_RETURN_IF_ERROR(latents.allocate(count * narrow, "query latents"));
  const auto down = Tensor<float, 2>::contiguous(latents.data(), {count, narrow});
  HEADWISE_RETURN_IF_ERROR(layer_->query_down_.forward(x, down));
  return layer_->query_.forward(down, target);
}

// The projected rows, rotated, as the heads' parts.
Status LatentAttentionRun::split_projections() {
  const LatentAttentionSizes& s = weights_->sizes_;
  const std::int64_t batch = shape_.batch;
  const std::int64_t length = shape_.query_length;
  const auto split = [&](Buffer<float>& rows, std::int64_t width, std::int64_t heads) {
    return split_heads(Tensor<float, 3>::contiguous(rows.data(), {batch, length, width}), heads);
  };
  const Tensor<float, 4> query = split(query_rows_, layer_->query_.out(), s.heads);
  const Tensor<float, 4> latent = split(latent_rows_, layer_->latent_.out(), 1);
  const Tensor<float, 4> query_rope = part(query, s.nope_dim, s.rope_dim);
  const Tensor<float, 4> key_rope = part(latent, s.latent_dim, s.rope_dim);
  if (s.rope_dim > 0) {
    const bool given = layer_call_.positions_rank != 0;
    const std::int64_t count = layer_call_.positions_rank == 2 ? batch * length : length;
    RotaryTable table;
    HEADWISE_RETURN_IF_ERROR(table.create(layer_->config_.rotary, s.rope_dim,
                                          given ? layer_call_.positions : nullptr, 0, count));
    table.rotate(query_rope);
    table.rotate(key_rope);
  }
  views_ = {
      .query_nope = part(query, 0, s.nope_dim),
      .query_rope = query_rope,
      .latent = without_heads(part(latent, 0, s.latent_dim)),
      .key_rope = without_heads(key_rope),
      .output = split(z_, layer_->output_.in(), s.heads),
  };
  return {};
}

// Keys and values of every head.
Status LatentAttentionRun::plan_expanded() {
  const LatentAttentionSizes& s = weights_->sizes_;
  const std::int64_t batch = shape_.batch;
  const std::int64_t width = s.nope_dim + s.rope_dim;
  const std::int64_t queries = shape_.query_length;
  const std::int64_t keys = shape_.kv_length;
  HEADWISE_RETURN_IF_ERROR(query_.allocate(batch * queries * s.heads * width, "queries"));
  HEADWISE_RETURN_IF_ERROR(key_.allocate(batch * keys * s.heads * width, "expanded keys"));
  HEADWISE_RETURN_IF_ERROR(
      value_.allocate(batch * keys * s.heads * s.value_head_dim, "expanded values"));
  problem_.query = by_head(query_.data(), batch, queries, s.heads, width, 0, width);
  problem_.key = by_head(key_.data(), batch, keys, s.heads, width, 0, width);
  problem_.value =
      by_head(value_.data(), batch, keys, s.heads, s.value_head_dim, 0, s.value_head_dim);
  return {};
}

// Queries in the space of the latents, which all heads then share as keys and as values.
Status LatentAttentionRun::plan_absorbed() {
  const LatentAttentionSizes& s = weights_->sizes_;
  const std::int64_t batch = shape_.batch;
  const std::int64_t width = s.latent_dim + s.rope_dim;
  const std::int64_t queries = shape_.query_length;
  const std::int64_t keys = shape_.kv_length;
  HEADWISE_RETURN_IF_ERROR(query_.allocate(batch * queries * s.heads * width, "queries"));
  HEADWISE_RETURN_IF_ERROR(key_.allocate(batch * keys * width, "latents"));
  HEADWISE_RETURN_IF_ERROR(sums_.allocate(batch * queries * s.heads * s.latent_dim, "latent sums"));
  problem_.query = by_head(query_.data(), batch, queries, s.heads, width, 0, width);
  problem_.key = by_head(key_.data(), batch, keys, 1, width, 0, width);
  problem_.value = by_head(key_.data(), batch, keys, 1, width, 0, s.latent_dim);
  problem_.output = by_head(sums_.data(), batch, queries, s.heads, s.latent_dim, 0, s.latent_dim);
  return {};
}

Status LatentAttentionRun::prepare(std::int64_t piece) {
  const std::int64_t heads = weights_->sizes_.heads;
  const std::int64_t b = piece / heads;
  const std::int64_t h = piece % heads;
  return form_ == LatentForm::kExpanded ? expand(b, h) : absorb(b, h);
}

Status LatentAttentionRun::expand(std::int64_t b, std::int64_t h) {
  const LatentAttentionSizes& s = weights_->sizes_;
  const std::int64_t width = s.nope_dim + s.rope_dim;
  const auto view = [&](Buffer<float>& buffer, std::int64_t length, std::int64_t first,
                        std::int64_t columns) {
    return rows_of(by_head(buffer.data(), shape_.batch, length, s.heads, width, first, columns), b,
                   h);
  };
  const auto value = rows_of(by_head(value_.data(), shape_.batch, shape_.kv_length, s.heads,
                                     s.value_head_dim, 0, s.value_head_dim),
                             b, h);
  const std::int64_t queries = shape_.query_length;
  const std::int64_t keys = shape_.kv_length;
  copy_rows(rows_of(views_.query_nope, b, h), view(query_, queries, 0, s.nope_dim));
  copy_rows(rows_of(views_.query_rope, b, h), view(query_, queries, s.nope_dim, s.rope_dim));
  const Tensor<const float, 2> latent = rows_of(views_.latent, b);
  HEADWISE_RETURN_IF_ERROR(
      weights_->key_up_.forward(latent, view(key_, keys, 0, s.nope_dim),
                                {.first_output = h * padded(s.nope_dim), .outputs = s.nope_dim}));
  copy_rows(rows_of(views_.key_rope, b), view(key_, keys, s.nope_dim, s.rope_dim));
  return weights_->value_up_.forward(
      latent, value, {.first_output = h * padded(s.value_head_dim), .outputs = s.value_head_dim});
}

Status LatentAttentionRun::absorb(std::int64_t b, std::int64_t h) {
  const LatentAttentionSizes& s = weights_->sizes_;
  const std::int64_t width = s.latent_dim + s.rope_dim;
  const auto query = [&](std::int64_t first, std::int64_t columns) {
    return rows_of(
        by_head(query_.data(), shape_.batch, shape_.query_length, s.heads, width, first, columns),
        b, h);
  };
  const auto key = [&](std::int64_t first, std::int64_t columns) {
    return rows_of(by_head(key_.data(), shape_.batch, shape_.kv_length, 1, width, first, columns),
                   b, 0);
  };
  if (h == 0) {
    copy_rows(rows_of(views_.latent, b), key(0, s.latent_dim));
    copy_rows(rows_of(views_.key_rope, b), key(s.latent_dim, s.rope_dim));
  }
  copy_rows(rows_of(views_.query_rope, b, h), query(s.latent_dim, s.rope_dim));
  return weights_->query_absorb_.forward(
      rows_of(views_.query_nope, b, h), query(0, s.latent_dim),
      {.first_output = h * padded(s.latent_dim), .outputs = s.latent_dim});
}

// A head's weighted sums of latents, through uv.
Status LatentAttentionRun::raise(std::int64_t piece) {
  const LatentAttentionSizes& s = weights_->sizes_;
  const std::int64_t b = piece / s.heads;
  const std::int64_t h = piece % s.heads;
  const Tensor<const float, 4> sums = by_head(sums_.data(), shape_.batch, shape_.query_length,
                                              s.heads, s.latent_dim, 0, s.latent_dim);
  return weights_->value_up_.forward(
      rows_of(sums, b, h), rows_of(views_.output, b, h),
      {.first_output = h * padded(s.value_head_dim), .outputs = s.value_head_dim});
}

// Some rows of the layer's output.
Status LatentAttentionRun::put_out(std::int64_t first, std::int64_t count) {
  const Linear& output = layer_->output_;
  return output.forward(
      Tensor<const float, 2>::contiguous(z_.data() + first * output.in(), {count, output.in()}),
      Tensor<float, 2>::contiguous(result_.output + first * output.out(), {count, output.out()}));
}

}  // namespace headwise
