// The shipped encoder, from web/models/minilm-l6, as the module would load it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headwise/transformer.hpp"
#include "safetensors.hpp"

namespace headwise::test {

inline std::string model_folder() {
  return std::string(HEADWISE_REPOSITORY) + "/web/models/minilm-l6/";
}

// The canonical name of a parameter, from its name in BERT's checkpoints; none for the pooler's.
inline std::optional<std::string> canonical_name(const std::string& name) {
  const auto replaced = [&](const std::string& from, const std::string& to) {
    return name.rfind(from, 0) == 0 ? std::optional(to + name.substr(from.size())) : std::nullopt;
  };
  if (name == "embeddings.word_embeddings.weight") return "embed.token";
  if (name == "embeddings.position_embeddings.weight") return "embed.position";
  if (name == "embeddings.token_type_embeddings.weight") return "embed.token_type";
  if (const auto norm = replaced("embeddings.LayerNorm.", "embed.ln.")) return norm;
  const std::string prefix = "encoder.layer.";
  if (name.rfind(prefix, 0) != 0) return std::nullopt;
  const std::size_t dot = name.find('.', prefix.size());
  const std::string block = "blocks." + name.substr(prefix.size(), dot - prefix.size()) + ".";
  const std::string rest = name.substr(dot + 1);
  const struct {
    const char *from, *to;
  } parts[] = {
      {"attention.self.", "attn."},
      {"attention.output.dense.", "attn.output."},
      {"attention.output.LayerNorm.", "ln1."},
      {"intermediate.dense.", "mlp.in."},
      {"output.dense.", "mlp.out."},
      {"output.LayerNorm.", "ln2."},
  };
  for (const auto& part : parts) {
    if (rest.rfind(part.from, 0) == 0) {
      return block + part.to + rest.substr(std::string(part.from).size());
    }
  }
  return std::nullopt;
}

inline std::vector<Outlier> outliers_of(const SafetensorsFile& file, const std::string& name) {
  std::vector<Outlier> outliers;
  if (!file.has(name + "_outliers")) return outliers;
  const std::vector<std::int32_t> positions =
      file.values<std::int32_t>(name + "_outlier_positions");
  const std::vector<float> values = file.values<float>(name + "_outliers");
  for (std::size_t i = 0; i < values.size(); ++i) {
    outliers.push_back({positions[2 * i], positions[2 * i + 1], values[i]});
  }
  return outliers;
}

inline Status load_tensor(const SafetensorsFile& file, const std::string& name,
                          Transformer* transformer) {
  const std::optional<std::string> canonical = canonical_name(name);
  if (!canonical.has_value()) return {};
  const SafetensorsFile::Entry& entry = file.entry(name);
  if (entry.type == "F32") {
    return transformer->set_parameter(*canonical, entry.dims, file.values<float>(name).data());
  }
  return transformer->set_parameter_int8(
      *canonical, entry.dims, file.values<std::int8_t>(name).data(),
      file.values<float>(name + "_scale").data(), outliers_of(file, name));
}

inline TransformerConfig shipped_config() {
  return {.num_layers = 6,
          .num_heads = 12,
          .d_model = 384,
          .d_mlp = 1536,
          .vocabulary = 30522,
          .max_positions = 512,
          .token_types = 2,
          .norm_epsilon = 1e-12};
}

// Whether the tensor belongs to an int8 matrix, which is loaded with it.
inline bool is_companion(const std::string& name) {
  const auto ends_with = [&](const std::string& end) {
    return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  };
  return ends_with("_scale") || ends_with("_outliers") || ends_with("_outlier_positions");
}

inline Status load_shipped_model(WeightType type, Transformer* transformer) {
  SafetensorsFile file;
  if (!file.open(model_folder() + "model.safetensors")) {
    return Status::invalid("model.safetensors", "a readable file", "none");
  }
  HEADWISE_RETURN_IF_ERROR(transformer->create(shipped_config(), type));
  for (const std::string& name : file.names()) {
    if (!is_companion(name)) HEADWISE_RETURN_IF_ERROR(load_tensor(file, name, transformer));
  }
  return {};
}

}  // namespace headwise::test
