// The options that the op and the layers share, from a request: what a query sees, and what is
// returned beside the output.
#pragma once

#include <string>
#include <vector>

#include "headwise/attention.hpp"
#include "message.hpp"

namespace headwise::tool {

inline void read_mask(const Request& request, MaskArgument* mask) {
  const TensorArgument bias = request.floats("mask");
  if (bias.given()) {
    *mask = {bias.data, nullptr, bias.rank, bias.dims};
  } else if (const NamedTensor* allowed = request.tensor("mask", "bool")) {
    *mask = {nullptr, reinterpret_cast<const std::uint8_t*>(allowed->bytes.data()),
             static_cast<int>(allowed->dims.size()), allowed->padded_dims()};
  }
}

inline void read_visibility(const Request& request, AttentionCall* call) {
  read_mask(request, &call->mask);
  if (const NamedTensor* real = request.tensor("keyMask", "bool")) {
    call->key_mask = reinterpret_cast<const std::uint8_t*>(real->bytes.data());
    call->key_mask_rank = static_cast<int>(real->dims.size());
    call->key_mask_dims = real->padded_dims();
  }
  if (const NamedTensor* lengths = request.tensor("kvLengths", "int32")) {
    call->kv_lengths = reinterpret_cast<const std::int32_t*>(lengths->bytes.data());
    call->kv_lengths_size = lengths->size();
  }
  if (const NamedTensor* factors = request.tensor("headMask", "float32")) {
    call->head_mask = reinterpret_cast<const float*>(factors->bytes.data());
    call->head_mask_size = factors->size();
  }
  call->scale = request.number("scale");
  call->softcap = request.number("softcap").value_or(0.0);
  call->causal = request.flag("causal");
  call->causal_offset = request.integer("causalOffset");
  const std::vector<std::string> window = request.words("window");
  if (window.size() == 2) {
    call->window_left = std::strtoll(window[0].c_str(), nullptr, 10);
    call->window_right = std::strtoll(window[1].c_str(), nullptr, 10);
  }
}

struct Returned {
  ScoresPoint scores = ScoresPoint::kNone;
  bool weights = false;
};

inline Status read_returned(const Request& request, Returned* returned) {
  returned->weights = request.flag("returnWeights");
  const std::vector<std::string> point = request.words("returnScores");
  if (point.empty()) return {};
  if (point[0] == "scaled") {
    returned->scores = ScoresPoint::kScaled;
  } else if (point[0] == "softcapped") {
    returned->scores = ScoresPoint::kSoftcapped;
  } else if (point[0] == "biased") {
    returned->scores = ScoresPoint::kBiased;
  } else {
    return Status::invalid("returnScores", "scaled, softcapped or biased", point[0]);
  }
  return {};
}

}  // namespace headwise::tool
