// The meaning of a transformer in double precision, every activation by its name: loops over plain
// vectors, written from the papers and without the library's layers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "headwise/reference.hpp"
#include "transformer_case.hpp"

namespace headwise::test {

struct ReferenceInput {
  std::vector<std::int32_t> ids = {}, types = {}, decoder_ids = {};
  std::vector<std::uint8_t> key_mask = {};
  std::vector<float> pixels = {};
  std::int64_t batch = 1;
};

class ReferenceTransformer {
 public:
  using Values = std::vector<double>;

  ReferenceTransformer(const TransformerCase& c, const ReferenceInput& in) : c_(c), in_(in) {
    const bool two = c.config.kind == TransformerKind::kEncoderDecoder;
    run_stack(two ? "encoder" : "", false);
    if (two) {
      memory_ = stream_;
      memory_length_ = length_;
      run_stack("decoder", true);
    }
    run_head();
  }

  std::map<std::string, Values> by_name;
  Values output;

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  const TransformerConfig& config() const { return c_.config; }
  std::int64_t rows() const { return in_.batch * length_; }
  Values parameter(const std::string& name) const {
    const std::vector<float>& values = c_.values.at(name);
    return {values.begin(), values.end()};
  }
  void keep(const std::string& name, const Values& values) { by_name[name] = values; }

  Values linear(const Values& x, const std::string& name, bool bias) const {
    const std::int64_t out = c_.dims.at(name + ".weight")[0];
    const std::int64_t in = c_.dims.at(name + ".weight")[1];
    const std::int64_t count = static_cast<std::int64_t>(x.size()) / in;
    Values y(at(count * out));
    const Values b = bias ? parameter(name + ".bias") : Values{};
    reference::linear(x.data(), parameter(name + ".weight").data(), bias ? b.data() : nullptr,
                      count, in, out, y.data());
    return y;
  }

  Values norm(const Values& x, const std::string& name, const std::string& hooks) {
    const Values weight = parameter(name + ".weight");
    const auto width = static_cast<std::int64_t>(weight.size());
    const std::int64_t count = static_cast<std::int64_t>(x.size()) / width;
    Values y(x.size());
    Values scale(at(count));
    Values normalized(x.size());
    if (config().norm == NormKind::kLayer) {
      reference::layer_norm(x.data(), weight.data(), parameter(name + ".bias").data(),
                            config().norm_epsilon, count, width, y.data(), scale.data(),
                            normalized.data());
    } else {
      for (std::int64_t row = 0; row < count; ++row) {
        double squares = 0.0;
        for (std::int64_t i = 0; i < width; ++i) squares += std::pow(x[at(row * width + i)], 2);
        scale[at(row)] = std::sqrt(squares / static_cast<double>(width) + config().norm_epsilon);
        for (std::int64_t i = 0; i < width; ++i) {
          normalized[at(row * width + i)] = x[at(row * width + i)] / scale[at(row)];
          y[at(row * width + i)] = normalized[at(row * width + i)] * weight[at(i)];
        }
      }
    }
    keep(hooks + ".hook_scale", scale);
    keep(hooks + ".hook_normalized", normalized);
    return y;
  }

  double activate(double x) const {
    switch (config().activation) {
      case ActivationFunction::kGelu:
        return reference::gelu(x);
      case ActivationFunction::kRelu:
        return std::max(x, 0.0);
      case ActivationFunction::kGeluTanh:
        return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)));
      case ActivationFunction::kSilu:
        return x / (1.0 + std::exp(-x));
      case ActivationFunction::kIdentity:
        break;
    }
    return x;
  }

  // T5's bucket, from the definition in its paper's code.
  std::int64_t bucket(std::int64_t distance, bool causal) const {
    const std::int64_t all = config().relative_buckets;
    const std::int64_t buckets = causal ? all : all / 2;
    const std::int64_t first = !causal && distance > 0 ? buckets : 0;
    const std::int64_t size = causal ? (distance < 0 ? -distance : 0) : std::abs(distance);
    const std::int64_t exact = buckets / 2;
    if (size < exact) return first + size;
    const double share =
        std::log(static_cast<double>(size) / static_cast<double>(exact)) /
        std::log(static_cast<double>(config().relative_max_distance) / static_cast<double>(exact));
    return first +
           std::min(buckets - 1, exact + static_cast<std::int64_t>(
                                             share * static_cast<double>(buckets - exact) + 1e-6));
  }

  struct Attention {
    std::string parameters, hooks;
    bool cross = false, causal = false;
    std::int64_t layer = 0;
    std::string bias;  // the parameter of relative positions, or none
  };

  // x [B, S, D] attends to memory [B, T, D]; keys that key_mask hides are not seen.
  Values attend(const Attention& a, const Values& x, const Values& memory, std::int64_t keys,
                bool masked) {
    const std::int64_t heads = config().num_heads;
    const std::int64_t kv_heads = config().heads_for_keys();
    const std::int64_t dim = config().head_size();
    const std::int64_t d_model = config().d_model;
    Values q = linear(x, a.parameters + ".query", config().attention_bias);
    Values k = linear(memory, a.parameters + ".key", config().attention_bias);
    const Values v = linear(memory, a.parameters + ".value", config().attention_bias);
    keep(a.hooks + "hook_q", q);
    keep(a.hooks + "hook_k", k);
    keep(a.hooks + "hook_v", v);
    if (config().positions == PositionKind::kRotary && !a.cross) {
      for (auto [rows, count, values] : {std::tuple{length_, heads, &q}, {keys, kv_heads, &k}}) {
        for (std::int64_t b = 0; b < in_.batch; ++b) {
          for (std::int32_t i = 0; i < rows; ++i) {
            for (std::int64_t h = 0; h < count; ++h) {
              reference::rotary(config().rotary, dim, &i, 1,
                                values->data() + ((b * rows + i) * count + h) * dim);
            }
          }
        }
      }
      keep(a.hooks + "hook_rot_q", q);
      keep(a.hooks + "hook_rot_k", k);
    }
    const Values bias = a.bias.empty() ? Values{} : parameter(a.bias);
    const double scale =
        config().attention_scale.value_or(1.0 / std::sqrt(static_cast<double>(dim)));
    Values scores(at(in_.batch * heads * length_ * keys));
    Values pattern(scores.size());
    Values z(at(rows() * heads * dim));
    for (std::int64_t b = 0; b < in_.batch; ++b) {
      for (std::int64_t h = 0; h < heads; ++h) {
        const std::int64_t kv = h / (heads / kv_heads);
        for (std::int64_t i = 0; i < length_; ++i) {
          double* row = scores.data() + ((b * heads + h) * length_ + i) * keys;
          for (std::int64_t j = 0; j < keys; ++j) {
            double sum = 0.0;
            for (std::int64_t d = 0; d < dim; ++d) {
              sum += q[at(((b * length_ + i) * heads + h) * dim + d)] *
                     k[at(((b * keys + j) * kv_heads + kv) * dim + d)];
            }
            sum *= scale;
            const double cap = config().attention_softcap;
            if (cap > 0.0) sum = cap * std::tanh(sum / cap);
            if (!bias.empty()) sum += bias[at(bucket(j - i, a.causal) * heads + h)];
            const bool late = a.causal && j > i;
            const bool far = !a.cross && config().has_window(a.layer) && i - j >= config().window;
            const bool padding = masked && in_.key_mask[at(b * keys + j)] == 0;
            row[j] = late || far || padding ? -std::numeric_limits<double>::infinity() : sum;
          }
          double* weights = pattern.data() + (row - scores.data());
          reference::softmax(row, keys, weights);
          for (std::int64_t j = 0; j < keys; ++j) {
            for (std::int64_t d = 0; d < dim; ++d) {
              z[at(((b * length_ + i) * heads + h) * dim + d)] +=
                  weights[j] * v[at(((b * keys + j) * kv_heads + kv) * dim + d)];
            }
          }
        }
      }
    }
    keep(a.hooks + "hook_attn_scores", scores);
    keep(a.hooks + "hook_pattern", pattern);
    keep(a.hooks + "hook_z", z);
    const Values w = parameter(a.parameters + ".output.weight");
    Values result(at(rows() * heads * d_model));
    for (std::int64_t row = 0; row < rows(); ++row) {
      for (std::int64_t h = 0; h < heads; ++h) {
        for (std::int64_t m = 0; m < d_model; ++m) {
          for (std::int64_t d = 0; d < dim; ++d) {
            result[at((row * heads + h) * d_model + m)] +=
                z[at((row * heads + h) * dim + d)] * w[at(m * heads * dim + h * dim + d)];
          }
        }
      }
    }
    keep(a.hooks + "hook_result", result);
    return linear(z, a.parameters + ".output", config().output_bias);
  }

  Values feed_forward(const Values& x, const std::string& parameters, const std::string& hooks) {
    const bool gated = config().gated_mlp;
    Values hidden = linear(x, parameters + (gated ? "mlp.gate" : "mlp.in"), config().mlp_bias);
    keep(hooks + "mlp.hook_pre", hidden);
    for (double& value : hidden) value = activate(value);
    if (gated) {
      const Values factor = linear(x, parameters + "mlp.in", config().mlp_bias);
      keep(hooks + "mlp.hook_pre_linear", factor);
      for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] *= factor[i];
    }
    keep(hooks + "mlp.hook_post", hidden);
    return linear(hidden, parameters + "mlp.out", config().mlp_bias);
  }

  // stream = ln(stream + part(stream)), or stream += [ln_post] part(ln(stream)).
  template <class Part>
  void add_part(const std::string& parameters, const std::string& hooks, const std::string& ln,
                const std::string& out_hook, const std::string& mid_hook, const Part& part) {
    const NormPlacement placement = config().norm_placement;
    const bool post = placement == NormPlacement::kPost;
    const Values x = post ? stream_ : norm(stream_, parameters + ln, hooks + ln);
    Values added = part(x);
    if (placement == NormPlacement::kSandwich) {
      added = norm(added, parameters + ln + "_post", hooks + ln + "_post");
    }
    keep(hooks + out_hook, added);
    for (std::size_t i = 0; i < stream_.size(); ++i) stream_[i] += added[i];
    keep(hooks + mid_hook, stream_);
    if (post) stream_ = norm(stream_, parameters + ln, hooks + ln);
  }

  void run_stack(const std::string& name, bool decoder) {
    const bool two = !name.empty();
    const std::string prefix = two ? name + "." : "";
    const bool causal = decoder || config().kind == TransformerKind::kDecoder;
    const std::vector<std::int32_t>& ids = decoder ? in_.decoder_ids : in_.ids;
    embed(prefix, ids);
    const std::int64_t layers = decoder ? config().decoder_layers : config().num_layers;
    for (std::int64_t i = 0; i < layers; ++i) {
      const std::string parameters = prefix + "blocks." + std::to_string(i) + ".";
      const std::string hooks = (two ? prefix : "blocks.") + std::to_string(i) + ".";
      keep(hooks + "hook_resid_pre", stream_);
      Attention own{parameters + "attn", hooks + "attn.", false, causal, i, ""};
      if (config().positions == PositionKind::kRelative) own.bias = prefix + "relative_bias";
      const bool masked = !in_.key_mask.empty() && !decoder;
      add_part(parameters, hooks, "ln1", "hook_attn_out", "hook_resid_mid",
               [&](const Values& x) { return attend(own, x, x, length_, masked); });
      if (decoder) {
        const Attention cross{parameters + "cross_attn", hooks + "cross_attn.", true, false, i, ""};
        add_part(parameters, hooks, "ln2", "hook_cross_attn_out", "hook_resid_mid_cross",
                 [&](const Values& x) {
                   return attend(cross, x, memory_, memory_length_, !in_.key_mask.empty());
                 });
      }
      add_part(parameters, hooks, decoder ? "ln3" : "ln2", "hook_mlp_out", "hook_resid_post",
               [&](const Values& x) { return feed_forward(x, parameters, hooks); });
      if (config().norm_placement == NormPlacement::kPost) {
        keep(hooks + "hook_normalized_resid_post", stream_);
      }
    }
    if (!config().final_norm) return;
    stream_ = norm(stream_, prefix + "ln_final", two ? name + "_final_ln" : "ln_final");
  }

  void embed(const std::string& prefix, const std::vector<std::int32_t>& ids) {
    const std::int64_t width = config().embedding_width();
    const bool encoder = config().kind == TransformerKind::kEncoder;
    const bool vision = config().kind == TransformerKind::kVision;
    const std::string hooks = encoder ? "embed." : prefix;
    length_ = vision ? config().image.class_tokens + config().image.patches()
                     : static_cast<std::int64_t>(ids.size()) / in_.batch;
    Values x(at(rows() * width));
    const auto add = [&](const std::string& name, const Values& rows) {
      keep(hooks + name, rows);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += rows[i];
    };
    const auto look_up = [&](const std::string& table, const std::vector<std::int32_t>& which,
                             double scale) {
      Values found(x.size());
      reference::embedding(parameter(table).data(), width, which.data(), rows(), found.data());
      for (double& value : found) value *= scale;
      return found;
    };
    if (vision) {
      x = patches(&by_name[hooks + "hook_embed"]);
    } else {
      add("hook_embed", look_up("embed.token", ids, config().embedding_scale));
    }
    if (config().positions == PositionKind::kLearned) {
      std::vector<std::int32_t> positions;
      for (std::int64_t i = 0; i < rows(); ++i) {
        positions.push_back(static_cast<std::int32_t>(i % length_ + config().position_offset));
      }
      add("hook_pos_embed", look_up(prefix + "embed.position", positions, 1.0));
    }
    if (config().positions == PositionKind::kSinusoidal) {
      Values waves(x.size());
      const std::int64_t half = (width + 1) / 2;
      for (std::int64_t i = 0; i < rows() * width; ++i) {
        const auto pair = static_cast<double>(i % width % half);
        const double angle = static_cast<double>(i / width % length_) /
                             std::pow(10000.0, 2.0 * pair / static_cast<double>(width));
        waves[at(i)] = i % width < half ? std::sin(angle) : std::cos(angle);
      }
      add("hook_pos_embed", waves);
    }
    if (config().token_types > 0) {
      add("hook_token_type_embed", look_up(prefix + "embed.token_type", in_.types, 1.0));
    }
    if (config().embedding_norm) {
      x = norm(x, prefix + "embed.ln", prefix.empty() ? "embed.ln" : prefix + "ln");
    }
    if (width != config().d_model) x = linear(x, prefix + "embed.project", true);
    stream_ = x;
    if (config().kind != TransformerKind::kDecoder) {
      keep((encoder ? "" : hooks) + "hook_full_embed", x);
    }
  }

  // Class tokens and patches; `alone` becomes the patches alone.
  Values patches(Values* alone) const {
    const ImageConfig& image = config().image;
    const std::int64_t side = image.size / image.patch;
    const Values first = parameter("embed.class");
    Values x;
    for (std::int64_t b = 0; b < in_.batch; ++b) {
      x.insert(x.end(), first.begin(), first.end());
      for (std::int64_t p = 0; p < side * side; ++p) {
        Values patch;
        for (std::int64_t i = 0; i < image.patch_values(); ++i) {
          const std::int64_t channel = i / (image.patch * image.patch);
          const std::int64_t row = p / side * image.patch + i / image.patch % image.patch;
          const std::int64_t column = p % side * image.patch + i % image.patch;
          patch.push_back(in_.pixels[at(
              ((b * image.channels + channel) * image.size + row) * image.size + column)]);
        }
        const Values row = linear(patch, "embed.patch", true);
        x.insert(x.end(), row.begin(), row.end());
        alone->insert(alone->end(), row.begin(), row.end());
      }
    }
    return x;
  }

  void run_head() {
    output = stream_;
    if (config().head == HeadKind::kNone) return;
    const std::int64_t d_model = config().d_model;
    const bool classifier = config().head == HeadKind::kClassifier;
    Values x = stream_;
    if (classifier) {
      x.clear();
      for (std::int64_t b = 0; b < in_.batch; ++b) {
        const auto row = stream_.begin() + b * length_ * d_model;
        x.insert(x.end(), row, row + d_model);
      }
    }
    if (config().head == HeadKind::kMaskedLanguageModel) {
      x = linear(x, "mlm_head.dense", true);
      for (double& value : x) value = activate(value);
      x = norm(x, "mlm_head.ln", "mlm_head.ln");
    }
    for (double& value : x) value *= config().logit_scale;
    const std::string hooks = classifier ? "head." : "unembed.";
    keep(hooks + "hook_in", x);
    if (classifier) {
      output = linear(x, "head", config().head_bias);
    } else {
      const std::string table = config().tied_head ? "embed.token" : "unembed.weight";
      const std::int64_t width = c_.dims.at(table)[1];
      const std::int64_t count = static_cast<std::int64_t>(x.size()) / width;
      output.assign(at(count * config().vocabulary), 0.0);
      const Values bias = config().head_bias ? parameter("unembed.bias") : Values{};
      reference::linear(x.data(), parameter(table).data(), bias.empty() ? nullptr : bias.data(),
                        count, width, config().vocabulary, output.data());
      const double cap = config().logit_softcap;
      if (cap > 0.0) {
        for (double& value : output) value = cap * std::tanh(value / cap);
      }
    }
    keep(hooks + "hook_out", output);
  }

  const TransformerCase& c_;
  const ReferenceInput& in_;
  std::int64_t length_ = 0, memory_length_ = 0;
  Values stream_, memory_;
};

}  // namespace headwise::test
