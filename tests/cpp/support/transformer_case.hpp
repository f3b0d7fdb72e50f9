// A small random transformer: its config and its parameters by name.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "headwise/transformer.hpp"
#include "random.hpp"

namespace headwise::test {

inline TransformerConfig small_encoder() {
  return {.num_layers = 2,
          .num_heads = 3,
          .d_model = 12,
          .d_mlp = 20,
          .vocabulary = 17,
          .max_positions = 9,
          .token_types = 2,
          .norm_epsilon = 1e-6};
}

struct TransformerCase {
  TransformerConfig config;
  std::map<std::string, std::vector<float>> values;
  std::map<std::string, std::vector<std::int64_t>> dims;
  std::vector<std::string> names;  // in the order of use

  explicit TransformerCase(std::uint64_t seed, const TransformerConfig& given = small_encoder())
      : config(given) {
    Random random(seed);
    Transformer empty;
    if (!empty.create(config, WeightType::kFloat32).ok()) return;
    for (const ParameterSpec& spec : empty.parameters()) {
      std::int64_t size = 1;
      for (const std::int64_t dim : spec.dims) size *= dim;
      const bool matrix = spec.dims.size() == 2 && spec.name.find(".weight") != std::string::npos;
      const float scale = matrix ? 1.5F / std::sqrt(static_cast<float>(spec.dims[1])) : 1.0F;
      names.push_back(spec.name);
      dims[spec.name] = spec.dims;
      values[spec.name] = random.normals(size, scale);
    }
  }

  Status set(const std::string& name, Transformer* transformer) const {
    return transformer->set_parameter(name, dims.at(name), values.at(name).data());
  }
  Status set_all(Transformer* transformer) const {
    for (const std::string& name : names) HEADWISE_RETURN_IF_ERROR(set(name, transformer));
    return {};
  }
};

}  // namespace headwise::test
