#include "headwise/intervention.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "random_numbers.hpp"
#include "text.hpp"

namespace headwise {

namespace {

// The dims that `values` may have, without the batch axis: [S, D], [S, H, D], [D] or [H, D].
std::vector<std::int64_t> value_dims(const Intervention& intervention, std::int64_t length,
                                     std::int64_t heads, std::int64_t head_dim) {
  std::vector<std::int64_t> dims;
  if (intervention.kind == InterventionKind::kValues) dims.push_back(length);
  if (!intervention.head.has_value()) dims.push_back(heads);
  dims.push_back(head_dim);
  return dims;
}

bool has_dims(const Intervention& intervention, const std::vector<std::int64_t>& dims) {
  return intervention.rank == static_cast<int>(dims.size()) &&
         std::equal(dims.begin(), dims.end(), intervention.dims.begin());
}

Status check_values(const Intervention& intervention, std::int64_t batch, std::int64_t length,
                    std::int64_t heads, std::int64_t head_dim) {
  std::vector<std::int64_t> dims = value_dims(intervention, length, heads, head_dim);
  if (has_dims(intervention, dims)) return {};
  std::string expected = shape_text(dims, static_cast<int>(dims.size()));
  if (intervention.kind == InterventionKind::kValues) {
    dims.insert(dims.begin(), batch);
    if (has_dims(intervention, dims)) return {};
    expected += " or " + shape_text(dims, static_cast<int>(dims.size()));
  }
  return Status::invalid("interventions", "a tensor " + expected + " for " + intervention.name,
                         intervention.rank == 0
                             ? "nothing"
                             : shape_text(intervention.dims, std::min(intervention.rank, 8)));
}

// Writes the given values or mean over z of one head.
void set_values(const Intervention& intervention, std::int64_t h, const Tensor<float, 4>& z) {
  const auto [batch, heads, length, head_dim] = z.dims;
  const bool mean = intervention.kind == InterventionKind::kMean;
  const bool all_heads = !intervention.head.has_value();
  const std::int64_t position_step = all_heads ? heads * head_dim : head_dim;
  const bool per_batch = !mean && intervention.rank == (all_heads ? 4 : 3);
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t i = 0; i < length; ++i) {
      const float* source = intervention.values + (all_heads ? h * head_dim : 0) +
                            (mean ? 0 : i * position_step) +
                            (per_batch ? b * length * position_step : 0);
      std::copy_n(source, head_dim, z.at(b, h, i));
    }
  }
}

// Places i and order[i] of the real positions change: Fisher and Yates' shuffle.
std::vector<std::int64_t> shuffled_positions(const std::uint8_t* real, std::int64_t length,
                                             RandomNumbers* random) {
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < length; ++i) {
    if (real == nullptr || real[i] != 0) places.push_back(i);
  }
  std::vector<std::int64_t> shuffled = places;
  for (std::size_t i = shuffled.size(); i > 1; --i) {
    const auto other = static_cast<std::size_t>(random->below(static_cast<std::int64_t>(i)));
    std::swap(shuffled[i - 1], shuffled[other]);
  }
  std::vector<std::int64_t> order(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) order[static_cast<std::size_t>(i)] = i;
  for (std::size_t i = 0; i < places.size(); ++i) {
    order[static_cast<std::size_t>(places[i])] = shuffled[i];
  }
  return order;
}

void shuffle(const Intervention& intervention, std::int64_t first_head, std::int64_t last_head,
             const Tensor<float, 4>& z, const std::uint8_t* key_mask) {
  const std::int64_t length = z.dims[2];
  const std::int64_t head_dim = z.dims[3];
  RandomNumbers random(intervention.seed);
  std::vector<float> before(static_cast<std::size_t>(length * head_dim));
  for (std::int64_t b = 0; b < z.dims[0]; ++b) {
    const std::vector<std::int64_t> order =
        shuffled_positions(key_mask == nullptr ? nullptr : key_mask + b * length, length, &random);
    for (std::int64_t h = first_head; h < last_head; ++h) {
      for (std::int64_t i = 0; i < length; ++i) {
        std::copy_n(z.at(b, h, i), head_dim, before.data() + i * head_dim);
      }
      for (std::int64_t i = 0; i < length; ++i) {
        std::copy_n(before.data() + order[static_cast<std::size_t>(i)] * head_dim, head_dim,
                    z.at(b, h, i));
      }
    }
  }
}

}  // namespace

Status validate(const Intervention& intervention, std::int64_t batch, std::int64_t length,
                std::int64_t heads, std::int64_t head_dim) {
  if (intervention.head.has_value() && (*intervention.head < 0 || *intervention.head >= heads)) {
    return Status::invalid("interventions", "a head from 0 to " + text(heads - 1),
                           "head " + text(*intervention.head));
  }
  switch (intervention.kind) {
    case InterventionKind::kValues:
    case InterventionKind::kMean:
      return check_values(intervention, batch, length, heads, head_dim);
    case InterventionKind::kNoise:
      if (std::isfinite(intervention.deviation) && intervention.deviation >= 0.0) return {};
      return Status::invalid("interventions", "a finite standard deviation of 0 or more",
                             text(intervention.deviation));
    case InterventionKind::kZero:
    case InterventionKind::kShuffle:
      break;
  }
  return {};
}

void apply(const Intervention& intervention, const Tensor<float, 4>& z,
           const std::uint8_t* key_mask) {
  const std::int64_t first = intervention.head.value_or(0);
  const std::int64_t last = intervention.head.has_value() ? first + 1 : z.dims[1];
  if (intervention.kind == InterventionKind::kShuffle) {
    shuffle(intervention, first, last, z, key_mask);
    return;
  }
  RandomNumbers random(intervention.seed);
  for (std::int64_t h = first; h < last; ++h) {
    if (intervention.kind == InterventionKind::kValues ||
        intervention.kind == InterventionKind::kMean) {
      set_values(intervention, h, z);
      continue;
    }
    for (std::int64_t b = 0; b < z.dims[0]; ++b) {
      for (std::int64_t i = 0; i < z.dims[2]; ++i) {
        float* row = z.at(b, h, i);
        for (std::int64_t d = 0; d < z.dims[3]; ++d) {
          row[d] = intervention.kind == InterventionKind::kZero
                       ? 0.0F
                       : row[d] + static_cast<float>(intervention.deviation * random.normal());
        }
      }
    }
  }
}

}  // namespace headwise
