// Intermediate results of a run by name, in the spelling of TransformerLens
// (`blocks.3.attn.hook_pattern`). Kept only when asked for; every kept tensor is an owned copy.
// Knows names and shapes, not how anything is computed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise {

struct Activation {
  std::string name;
  std::vector<std::int64_t> dims;
  Buffer<float> data;  // row-major, product of dims elements
};

class ActivationCache {
 public:
  // Takes memory for a tensor of this name and gives where to write it. Contents start undefined.
  Status add(std::string name, std::vector<std::int64_t> dims, float** data);

  const Activation* find(std::string_view name) const;  // null when it was not kept
  const std::vector<Activation>& activations() const { return activations_; }  // in order of use
  void clear() { activations_.clear(); }

 private:
  std::vector<Activation> activations_;
};

// Whether the name fits the pattern, in which * stands for any run of characters.
bool matches_pattern(std::string_view pattern, std::string_view name);

// Which of `known` the patterns ask for, as flags of known's length. A pattern that fits none is
// invalid: the error names `argument`, and near names as what was expected.
Status select_names(const std::vector<std::string>& patterns, const std::vector<std::string>& known,
                    const char* argument, std::vector<bool>* selected);

// The `count` known names with the smallest edit distance, nearest first.
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known,
                                    std::size_t count);

// An error that says which names are near.
Status unknown_name(const char* argument, std::string_view name,
                    const std::vector<std::string>& known);

}  // namespace headwise
