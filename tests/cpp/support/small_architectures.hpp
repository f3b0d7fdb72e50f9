// Small configurations of every architecture, with inputs for them.
#pragma once

#include <cstdint>
#include <vector>

#include "headwise/transformer_run.hpp"
#include "random.hpp"
#include "reference_transformer.hpp"
#include "transformer_case.hpp"

namespace headwise::test {

struct Architecture {
  const char* name;
  TransformerConfig config;
};

inline TransformerConfig decoder() {
  TransformerConfig c = small_encoder();
  c.kind = TransformerKind::kDecoder;
  c.norm_placement = NormPlacement::kPre;
  c.embedding_norm = false;
  c.final_norm = true;
  c.token_types = 0;
  c.activation = ActivationFunction::kGeluTanh;
  c.head = HeadKind::kLanguageModel;
  return c;
}

inline TransformerConfig llama() {
  TransformerConfig c = decoder();
  c.norm = NormKind::kRms;
  c.num_heads = 4;
  c.kv_heads = 2;
  c.head_dim = 6;
  c.positions = PositionKind::kRotary;
  c.rotary.base = 100.0;
  c.attention_bias = c.output_bias = c.mlp_bias = false;
  c.activation = ActivationFunction::kSilu;
  c.gated_mlp = true;
  c.tied_head = false;
  return c;
}

inline TransformerConfig gemma() {
  TransformerConfig c = llama();
  c.norm_placement = NormPlacement::kSandwich;
  c.activation = ActivationFunction::kGeluTanh;
  c.tied_head = true;
  c.embedding_scale = std::sqrt(12.0);
  c.attention_scale = 0.3;
  c.attention_softcap = 2.0;
  c.logit_softcap = 1.5;
  c.window = 3;
  c.global_every = 2;
  return c;
}

inline TransformerConfig encoder_decoder() {
  TransformerConfig c = small_encoder();
  c.kind = TransformerKind::kEncoderDecoder;
  c.decoder_layers = 3;
  c.token_types = 0;
  c.position_offset = 2;
  c.head = HeadKind::kLanguageModel;
  c.head_bias = true;
  return c;
}

inline TransformerConfig t5() {
  TransformerConfig c = encoder_decoder();
  c.norm = NormKind::kRms;
  c.norm_placement = NormPlacement::kPre;
  c.embedding_norm = false;
  c.final_norm = true;
  c.max_positions = 0;
  c.head_dim = 5;
  c.positions = PositionKind::kRelative;
  c.relative_buckets = 8;
  c.relative_max_distance = 12;
  c.attention_bias = c.output_bias = c.mlp_bias = c.head_bias = false;
  c.attention_scale = 1.0;
  c.activation = ActivationFunction::kRelu;
  c.logit_scale = 1.0 / std::sqrt(12.0);
  return c;
}

inline TransformerConfig vision() {
  TransformerConfig c = decoder();
  c.kind = TransformerKind::kVision;
  c.activation = ActivationFunction::kGelu;
  c.vocabulary = 0;
  c.max_positions = 0;
  c.head = HeadKind::kClassifier;
  c.head_bias = true;
  c.labels = 7;
  c.image = {.size = 6, .patch = 2, .channels = 3, .class_tokens = 2};
  return c;
}

inline std::vector<Architecture> architectures() {
  TransformerConfig masked = small_encoder();
  masked.head = HeadKind::kMaskedLanguageModel;
  masked.head_bias = true;
  TransformerConfig electra = masked;
  electra.d_embedding = 8;
  electra.tied_head = true;
  TransformerConfig roberta = small_encoder();
  roberta.position_offset = 2;
  roberta.token_types = 1;
  TransformerConfig llama3 = llama();
  llama3.rotary.scaling = 4.0;
  llama3.rotary.original_positions = 16;
  TransformerConfig qwen = llama();
  qwen.attention_bias = true;
  qwen.window = 2;
  qwen.rotary.scaling = 2.0;
  TransformerConfig marian = encoder_decoder();
  marian.positions = PositionKind::kSinusoidal;
  marian.embedding_norm = false;
  marian.embedding_scale = std::sqrt(12.0);
  marian.activation = ActivationFunction::kSilu;
  TransformerConfig gated_t5 = t5();
  gated_t5.gated_mlp = true;
  gated_t5.activation = ActivationFunction::kGeluTanh;
  gated_t5.tied_head = false;
  gated_t5.logit_scale = 1.0;
  TransformerConfig features = vision();
  features.head = HeadKind::kNone;
  features.head_bias = false;
  features.labels = 0;
  features.image.class_tokens = 1;
  return {{"encoder", small_encoder()},
          {"masked-LM encoder", masked},
          {"narrow embedding", electra},
          {"position offset", roberta},
          {"GPT-2", decoder()},
          {"Llama", llama()},
          {"Llama 3.1", llama3},
          {"Qwen2 with window", qwen},
          {"Gemma 2", gemma()},
          {"BART", encoder_decoder()},
          {"Marian", marian},
          {"T5", t5()},
          {"gated T5", gated_t5},
          {"ViT classifier", vision()},
          {"ViT", features}};
}

inline ReferenceInput random_input(const TransformerConfig& config, std::int64_t batch,
                                   std::int64_t length, Random* random) {
  ReferenceInput in;
  in.batch = batch;
  const auto ids = [&](std::int64_t count, std::int64_t most) {
    std::vector<std::int32_t> list;
    for (std::int64_t i = 0; i < count; ++i) {
      list.push_back(static_cast<std::int32_t>(random->integer(0, most - 1)));
    }
    return list;
  };
  if (config.kind == TransformerKind::kVision) {
    in.pixels =
        random->normals(batch * config.image.channels * config.image.size * config.image.size);
    return in;
  }
  in.ids = ids(batch * length, config.vocabulary);
  if (config.token_types > 0) in.types = ids(batch * length, config.token_types);
  for (std::int64_t i = 0; i < batch * length; ++i) {
    in.key_mask.push_back(i % length == 0 || i < length || i % length < length - 2 ? 1 : 0);
  }
  if (config.kind == TransformerKind::kEncoderDecoder) in.decoder_ids = ids(batch * 5, 17);
  return in;
}

inline TransformerInput as_input(const ReferenceInput& in) {
  TransformerInput input;
  input.batch = in.batch;
  input.ids = in.ids.empty() ? nullptr : in.ids.data();
  input.length = static_cast<std::int64_t>(in.ids.size()) / in.batch;
  input.type_ids = in.types.empty() ? nullptr : in.types.data();
  input.key_mask = in.key_mask.empty() ? nullptr : in.key_mask.data();
  input.decoder_ids = in.decoder_ids.empty() ? nullptr : in.decoder_ids.data();
  input.decoder_length = static_cast<std::int64_t>(in.decoder_ids.size()) / in.batch;
  input.pixels = in.pixels.empty() ? nullptr : in.pixels.data();
  return input;
}

inline Status run(const Transformer& transformer, const TransformerInput& input,
                  const RunOptions& options, TransformerRun* result) {
  HEADWISE_RETURN_IF_ERROR(result->begin(transformer, input, options));
  for (bool done = false; !done;) HEADWISE_RETURN_IF_ERROR(result->step(&done));
  return {};
}

}  // namespace headwise::test
