// What a decoder keeps of a text so far, so that the next token costs one position: keys and values
// of every layer, and of an encoder-decoder what its layers see of the encoder.
#pragma once

#include <cstdint>
#include <vector>

#include "headwise/key_value_cache.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise {

class Transformer;

class DecodingCache {
 public:
  // For texts of up to `capacity` positions. Only a transformer that decodes has such a cache
  // (unsupported otherwise).
  Status create(const Transformer& transformer, std::int64_t batch, std::int64_t capacity);

  std::int64_t length() const { return own_.empty() ? 0 : own_[0].length(); }
  // Forgets all but the first `length` positions; the encoder's stay.
  Status truncate(std::int64_t length);

 private:
  friend class TransformerRun;

  std::int64_t batch_ = 0;
  std::vector<KeyValueCache> own_;      // a layer each
  std::vector<KeyValueCache> encoder_;  // a layer each, once the encoder has run
  Buffer<std::uint8_t> encoder_mask_;   // [B, S] or null
};

}  // namespace headwise
