// The names of a transformer's activations, in the order in which a forward pass makes them.
#include "headwise/transformer.hpp"
#include "text.hpp"

namespace headwise {

namespace {

void append(const std::string& prefix, std::initializer_list<const char*> names,
            std::vector<std::string>* all) {
  for (const char* name : names) all->push_back(prefix + name);
}

void append_norm(const std::string& prefix, std::vector<std::string>* all) {
  append(prefix, {"hook_scale", "hook_normalized"}, all);
}

void append_attention(const std::string& prefix, bool rotary, std::vector<std::string>* all) {
  append(prefix, {"hook_q", "hook_k", "hook_v"}, all);
  if (rotary) append(prefix, {"hook_rot_q", "hook_rot_k"}, all);
  append(prefix, {"hook_attn_scores", "hook_pattern", "hook_z", "hook_result"}, all);
}

}  // namespace

void Transformer::append_block_names(const Stack& stack, const std::string& prefix,
                                     std::vector<std::string>* names) const {
  const bool post = config_.norm_placement == NormPlacement::kPost;
  const bool sandwich = config_.norm_placement == NormPlacement::kSandwich;
  append(prefix, {"hook_resid_pre"}, names);
  if (!post) append_norm(prefix + "ln1.", names);
  append_attention(prefix + "attn.", config_.positions == PositionKind::kRotary, names);
  if (sandwich) append_norm(prefix + "ln1_post.", names);
  append(prefix, {"hook_attn_out", "hook_resid_mid"}, names);
  if (post) append_norm(prefix + "ln1.", names);
  if (stack.cross) {
    if (!post) append_norm(prefix + "ln2.", names);
    append_attention(prefix + "cross_attn.", false, names);
    append(prefix, {"hook_cross_attn_out", "hook_resid_mid_cross"}, names);
    if (post) append_norm(prefix + "ln2.", names);
  }
  const std::string norm = prefix + (stack.cross ? "ln3." : "ln2.");
  if (!post) append_norm(norm, names);
  append(prefix, {"mlp.hook_pre"}, names);
  if (config_.gated_mlp) append(prefix, {"mlp.hook_pre_linear"}, names);
  append(prefix, {"mlp.hook_post"}, names);
  if (sandwich) append_norm(prefix + "ln2_post.", names);
  append(prefix, {"hook_mlp_out", "hook_resid_post"}, names);
  if (!post) return;
  append_norm(norm, names);
  append(prefix, {"hook_normalized_resid_post"}, names);
}

void Transformer::append_names(const Stage& stage, std::vector<std::string>* names) const {
  const Stack& stack = stacks_[stage.stack];
  switch (stage.kind) {
    case StageKind::kEmbed: {
      const std::string& prefix = stack.embed_hooks;
      append(prefix, {"hook_embed"}, names);
      if (config_.positions == PositionKind::kLearned ||
          config_.positions == PositionKind::kSinusoidal) {
        append(prefix, {"hook_pos_embed"}, names);
      }
      if (config_.token_types > 0) append(prefix, {"hook_token_type_embed"}, names);
      if (config_.embedding_norm) append_norm(stack.embed_norm_hooks, names);
      if (config_.kind == TransformerKind::kDecoder) return;
      append(config_.kind == TransformerKind::kEncoder ? "" : prefix, {"hook_full_embed"}, names);
      return;
    }
    case StageKind::kBlock:
      return append_block_names(stack, stack.block_hooks + text(stage.layer) + ".", names);
    case StageKind::kFinalNorm:
      return append_norm(stack.final_norm_hooks, names);
    case StageKind::kHead:
      if (config_.head == HeadKind::kClassifier) {
        return append("head.", {"hook_in", "hook_out"}, names);
      }
      if (config_.head == HeadKind::kMaskedLanguageModel) append_norm("mlm_head.ln.", names);
      append("unembed.", {"hook_in", "hook_out"}, names);
  }
}

std::vector<std::string> Transformer::activation_names() const {
  std::vector<std::string> names;
  for (const Stage& stage : stages_) append_names(stage, &names);
  return names;
}

}  // namespace headwise
