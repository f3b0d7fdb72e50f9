// What a transformer is made of, for every architecture: encoders (BERT, RoBERTa, ELECTRA),
// decoders (GPT-2, Llama, Gemma), encoder-decoders (BART, Marian, T5) and vision encoders (ViT).
// An architecture is a choice of these fields; reading config.json is the module's.
#pragma once

#include <cstdint>
#include <optional>

#include "headwise/activations.hpp"
#include "headwise/multi_head_attention.hpp"
#include "headwise/rotary.hpp"
#include "headwise/status.hpp"

namespace headwise {

enum class TransformerKind { kEncoder, kDecoder, kEncoderDecoder, kVision };
enum class NormKind { kLayer, kRms };
// kPost: x = ln(x + part(x));  kPre: x += part(ln(x));  kSandwich: x += ln_post(part(ln(x))).
enum class NormPlacement { kPost, kPre, kSandwich };
enum class PositionKind { kNone, kLearned, kSinusoidal, kRotary, kRelative };
enum class HeadKind { kNone, kLanguageModel, kMaskedLanguageModel, kClassifier };

struct ImageConfig {
  std::int64_t size = 0, patch = 0, channels = 0;  // pixels of a side, colours
  std::int64_t class_tokens = 1;                   // learned tokens before the patches

  std::int64_t patches() const { return (size / patch) * (size / patch); }
  std::int64_t patch_values() const { return channels * patch * patch; }
};

struct TransformerConfig {
  TransformerKind kind = TransformerKind::kEncoder;
  std::int64_t num_layers = 0;      // of the encoder, where there are two stacks
  std::int64_t decoder_layers = 0;  // of an encoder-decoder
  std::int64_t num_heads = 0, d_model = 0, d_mlp = 0;
  std::int64_t kv_heads = 0;  // 0 = num_heads
  std::int64_t head_dim = 0;  // 0 = d_model / num_heads
  std::int64_t vocabulary = 0;
  std::int64_t max_positions = 0;  // 0 = any
  std::int64_t token_types = 0;    // 0 = none
  std::int64_t d_embedding = 0;    // 0 = d_model

  NormKind norm = NormKind::kLayer;
  double norm_epsilon = 1e-12;
  NormPlacement norm_placement = NormPlacement::kPost;
  bool embedding_norm = true, final_norm = false;

  PositionKind positions = PositionKind::kLearned;
  std::int64_t position_offset = 0;  // rows of the learned table before that of position 0
  RotaryConfig rotary = {};
  std::int64_t relative_buckets = 0, relative_max_distance = 0;

  ActivationFunction activation = ActivationFunction::kGelu;
  bool gated_mlp = false;
  bool attention_bias = true, output_bias = true, mlp_bias = true;
  std::optional<double> attention_scale = {};  // default 1 / sqrt(head_dim)
  double attention_softcap = 0.0;              // 0 = off
  std::int64_t window = 0;                     // positions a query sees, itself the last; 0 = all
  std::int64_t global_every = 0;               // each such layer has no window; 0 = all have it
  double embedding_scale = 1.0;

  HeadKind head = HeadKind::kNone;
  bool tied_head = true, head_bias = false;
  double logit_scale = 1.0;    // on what enters the head's matrix
  double logit_softcap = 0.0;  // 0 = off
  std::int64_t labels = 0;     // of a classifier
  ImageConfig image = {};      // of a vision encoder

  std::int64_t embedding_width() const { return d_embedding > 0 ? d_embedding : d_model; }
  std::int64_t heads_for_keys() const { return kv_heads > 0 ? kv_heads : num_heads; }
  std::int64_t head_size() const { return head_dim > 0 ? head_dim : d_model / num_heads; }
  // Columns of the head's matrix product: the vocabulary, or the labels.
  std::int64_t outputs() const { return head == HeadKind::kClassifier ? labels : vocabulary; }
  bool has_window(std::int64_t layer) const {
    return window > 0 && (global_every == 0 || (layer + 1) % global_every != 0);
  }
};

// Config fields in the TypeScript spelling ("numLayers", ...) are the errors' arguments. Bounds
// well above any model: a config that was made up or damaged is refused before memory is taken.
Status validate(const TransformerConfig& config);

// The layer of self-attention, or of attention to the encoder (which has no positions).
MultiHeadAttentionConfig attention_config(const TransformerConfig& config, bool cross);

}  // namespace headwise
