// A small random encoder: its parameters by name, and its meaning in double precision.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "headwise/reference.hpp"
#include "headwise/transformer.hpp"
#include "random.hpp"

namespace headwise::test {

struct EncoderCase {
  TransformerConfig config{.num_layers = 2,
                           .num_heads = 3,
                           .d_model = 12,
                           .d_mlp = 20,
                           .vocabulary = 17,
                           .max_positions = 9,
                           .token_types = 2,
                           .norm_epsilon = 1e-6};
  std::map<std::string, std::vector<float>> values;
  std::map<std::string, std::vector<std::int64_t>> dims;
  std::vector<std::string> names;  // in the order of use

  explicit EncoderCase(std::uint64_t seed) {
    Random random(seed);
    Transformer empty;
    if (!empty.create(config, WeightType::kFloat32).ok()) return;
    for (const ParameterSpec& spec : empty.parameters()) {
      std::int64_t size = 1;
      for (const std::int64_t dim : spec.dims) size *= dim;
      const bool matrix = spec.dims.size() == 2 && spec.name.rfind("blocks.", 0) == 0;
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

struct EncoderValues {
  std::map<std::string, std::vector<double>> by_name;
};

namespace encoder_detail {

inline std::vector<double> widen(const std::vector<float>& x) { return {x.begin(), x.end()}; }
inline std::vector<float> narrow(const std::vector<double>& x) { return {x.begin(), x.end()}; }

inline TensorArgument argument(const std::vector<float>& x, std::vector<std::int64_t> dims) {
  TensorArgument result{x.data(), static_cast<int>(dims.size()), {}};
  for (std::size_t i = 0; i < dims.size(); ++i) result.dims[i] = dims[i];
  return result;
}

}  // namespace encoder_detail

// One forward pass; the streams, patterns and feed-forward activations by their hook names.
inline EncoderValues run_reference_encoder(const EncoderCase& c,
                                           const std::vector<std::int32_t>& ids,
                                           const std::vector<std::int32_t>& types,
                                           const std::vector<std::uint8_t>& key_mask,
                                           std::int64_t batch, std::int64_t length) {
  using encoder_detail::argument;
  using encoder_detail::narrow;
  using encoder_detail::widen;
  const std::int64_t width = c.config.d_model;
  const std::int64_t hidden = c.config.d_mlp;
  const std::int64_t rows = batch * length;
  EncoderValues result;
  std::vector<double> stream(static_cast<std::size_t>(rows * width));
  const auto weights = [&](const std::string& name) { return widen(c.values.at(name)); };
  const auto norm = [&](const std::string& parameters, const std::string& hooks) {
    std::vector<double> scale(static_cast<std::size_t>(rows));
    std::vector<double> normalized(stream.size());
    std::vector<double> y(stream.size());
    reference::layer_norm(stream.data(), weights(parameters + "weight").data(),
                          weights(parameters + "bias").data(), c.config.norm_epsilon, rows, width,
                          y.data(), scale.data(), normalized.data());
    stream = y;
    result.by_name[hooks + "hook_scale"] = scale;
    result.by_name[hooks + "hook_normalized"] = normalized;
  };
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t d = 0; d < width; ++d) {
      const auto at = [&](const char* table, std::int64_t id) {
        return static_cast<double>(c.values.at(table)[static_cast<std::size_t>(id * width + d)]);
      };
      stream[static_cast<std::size_t>(row * width + d)] =
          at("embed.token", ids[static_cast<std::size_t>(row)]) +
          at("embed.position", row % length) +
          at("embed.token_type", types[static_cast<std::size_t>(row)]);
    }
  }
  norm("embed.ln.", "embed.ln.");
  result.by_name["hook_full_embed"] = stream;
  for (std::int64_t i = 0; i < c.config.num_layers; ++i) {
    const std::string prefix = "blocks." + std::to_string(i) + ".";
    result.by_name[prefix + "hook_resid_pre"] = stream;
    const auto given = [&](const char* name) {
      std::string full = prefix;
      full += "attn.";
      full += name;
      return argument(c.values.at(full), c.dims.at(full));
    };
    MultiHeadAttentionWeights w;
    w.query = given("query.weight");
    w.query_bias = given("query.bias");
    w.key = given("key.weight");
    w.key_bias = given("key.bias");
    w.value = given("value.weight");
    w.value_bias = given("value.bias");
    w.output = given("output.weight");
    w.output_bias = given("output.bias");
    const std::vector<float> input = narrow(stream);
    MultiHeadAttentionCall call;
    call.query = argument(input, {batch, length, width});
    if (!key_mask.empty()) {
      call.options.key_mask = key_mask.data();
      call.options.key_mask_rank = 2;
      call.options.key_mask_dims = {batch, length};
    }
    reference::MultiHeadAttentionValues attended;
    (void)reference::multi_head_attention({.d_model = width, .num_heads = c.config.num_heads}, w,
                                          call, &attended);
    result.by_name[prefix + "attn.hook_pattern"] = attended.weights;
    result.by_name[prefix + "hook_attn_out"] = attended.output;
    for (std::size_t k = 0; k < stream.size(); ++k) stream[k] += attended.output[k];
    result.by_name[prefix + "hook_resid_mid"] = stream;
    norm(prefix + "ln1.", prefix + "ln1.");
    std::vector<double> pre(static_cast<std::size_t>(rows * hidden));
    reference::linear(stream.data(), weights(prefix + "mlp.in.weight").data(),
                      weights(prefix + "mlp.in.bias").data(), rows, width, hidden, pre.data());
    result.by_name[prefix + "mlp.hook_pre"] = pre;
    for (double& value : pre) value = reference::gelu(value);
    result.by_name[prefix + "mlp.hook_post"] = pre;
    std::vector<double> out(stream.size());
    reference::linear(pre.data(), weights(prefix + "mlp.out.weight").data(),
                      weights(prefix + "mlp.out.bias").data(), rows, hidden, width, out.data());
    result.by_name[prefix + "hook_mlp_out"] = out;
    for (std::size_t k = 0; k < stream.size(); ++k) stream[k] += out[k];
    result.by_name[prefix + "hook_resid_post"] = stream;
    norm(prefix + "ln2.", prefix + "ln2.");
    result.by_name[prefix + "hook_normalized_resid_post"] = stream;
  }
  return result;
}

}  // namespace headwise::test
