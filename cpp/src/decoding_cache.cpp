#include "headwise/decoding_cache.hpp"

#include "headwise/transformer.hpp"

namespace headwise {

Status DecodingCache::create(const Transformer& transformer, std::int64_t batch,
                             std::int64_t capacity) {
  own_.clear();
  encoder_.clear();
  encoder_mask_.reset();
  batch_ = batch;
  const Transformer::Stack& stack = transformer.stacks_.back();
  if (!stack.causal) {
    return Status::unsupported("model", "a decoder or an encoder-decoder", "an encoder");
  }
  const TransformerConfig& config = transformer.config();
  own_.resize(stack.blocks.size());
  for (KeyValueCache& layer : own_) {
    Status status = layer.create({.batch = batch,
                                  .kv_heads = config.heads_for_keys(),
                                  .head_dim = config.head_size(),
                                  .value_head_dim = config.head_size(),
                                  .capacity = capacity});
    if (status.ok()) continue;
    own_.clear();
    return status;
  }
  return {};
}

Status DecodingCache::truncate(std::int64_t length) {
  for (KeyValueCache& layer : own_) HEADWISE_RETURN_IF_ERROR(layer.truncate(length));
  return {};
}

}  // namespace headwise
