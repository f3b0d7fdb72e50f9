// Requests and replies of headwise_op: a few lines of text that name tensors and options, then the
// tensors' bytes (little-endian, row-major, in the order of their lines).
//
//   call attention                          ok
//   tensor float32 query 1 2 3 8            tensor float32 output 1 2 3 8
//   option causal true                      data
//   data                                    <bytes of output>
//   <bytes of query>                        memory 0 0
//
// A call that is refused is answered by `error CODE`, `argument`, `expected`, `received` and `data`
// instead. `memory` tells the bytes and blocks that are held once the call and its reply are gone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "headwise/attention.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::tool {

struct NamedTensor {
  std::string type, name;
  std::vector<std::int64_t> dims;
  Buffer<std::byte> bytes;
  mutable bool used = false;

  std::int64_t size() const {
    std::int64_t product = 1;
    for (std::int64_t dim : dims) product *= dim;
    return product;
  }
  std::array<std::int64_t, 8> padded_dims() const {
    std::array<std::int64_t, 8> padded{};
    std::copy(dims.begin(), dims.end(), padded.begin());
    return padded;
  }
};

struct Option {
  std::string name;
  std::vector<std::string> values;
  mutable bool used = false;
};

// One call as it came. Lookups mark what they find as used, so that a name nobody asked for is
// noticed instead of ignored.
class Request {
 public:
  // False at the end of the input, or when what comes is no request.
  bool read(std::istream& input) {
    std::string line;
    while (std::getline(input, line) && line != "data") {
      std::istringstream words(line);
      std::string kind;
      words >> kind;
      if (kind == "call") {
        words >> call_;
      } else if (kind == "tensor") {
        NamedTensor tensor;
        words >> tensor.type >> tensor.name;
        tensor.dims.assign(std::istream_iterator<std::int64_t>(words), {});
        tensors_.push_back(std::move(tensor));
      } else if (kind == "option") {
        Option option;
        words >> option.name;
        option.values.assign(std::istream_iterator<std::string>(words), {});
        options_.push_back(std::move(option));
      } else {
        return false;
      }
    }
    for (NamedTensor& tensor : tensors_) {
      if (!read_bytes(input, &tensor)) return false;
    }
    return input.good();
  }

  const std::string& call() const { return call_; }

  const NamedTensor* tensor(const std::string& name, const char* type) const {
    for (const NamedTensor& tensor : tensors_) {
      if (tensor.name != name || tensor.type != type) continue;
      tensor.used = true;
      return &tensor;
    }
    return nullptr;
  }
  TensorArgument floats(const std::string& name) const {
    const NamedTensor* found = tensor(name, "float32");
    if (found == nullptr) return {};
    return {reinterpret_cast<const float*>(found->bytes.data()),
            static_cast<int>(found->dims.size()), found->padded_dims()};
  }

  // The words after an option's name; empty when it is not given.
  std::vector<std::string> words(const std::string& name) const {
    for (const Option& option : options_) {
      if (option.name != name) continue;
      option.used = true;
      return option.values;
    }
    return {};
  }
  std::optional<double> number(const std::string& name) const {
    const std::vector<std::string> values = words(name);
    if (values.empty()) return std::nullopt;
    return std::strtod(values[0].c_str(), nullptr);
  }
  std::optional<std::int64_t> integer(const std::string& name) const {
    const std::vector<std::string> values = words(name);
    if (values.empty()) return std::nullopt;
    return std::strtoll(values[0].c_str(), nullptr, 10);
  }
  bool flag(const std::string& name) const {
    const std::vector<std::string> values = words(name);
    return !values.empty() && values[0] == "true";
  }

  Status all_used() const {
    for (const NamedTensor& tensor : tensors_) {
      if (!tensor.used) return unknown(tensor.name, "a tensor of type " + tensor.type);
    }
    for (const Option& option : options_) {
      if (!option.used) return unknown(option.name, "an option");
    }
    return {};
  }

 private:
  static bool read_bytes(std::istream& input, NamedTensor* tensor) {
    const std::int64_t width = tensor->type == "bool" ? 1 : 4;
    if (tensor->dims.size() > 8 || tensor->size() < 0) return false;
    if (!tensor->bytes.allocate(tensor->size() * width, "request").ok()) return false;
    input.read(reinterpret_cast<char*>(tensor->bytes.data()), tensor->bytes.size());
    return input.good();
  }
  Status unknown(const std::string& name, const std::string& what) const {
    return Status::invalid(name, "a tensor or option that " + call_ + " knows", what);
  }

  std::string call_;
  std::vector<NamedTensor> tensors_;
  std::vector<Option> options_;
};

// The results of one call.
class Reply {
 public:
  // Room for a result; valid as long as the reply.
  Status add(const char* name, std::vector<std::int64_t> dims, float** data) {
    NamedTensor tensor;
    tensor.name = name;
    tensor.dims = std::move(dims);
    const auto bytes = static_cast<std::int64_t>(sizeof(float));
    HEADWISE_RETURN_IF_ERROR(tensor.bytes.allocate(tensor.size() * bytes, name));
    *data = reinterpret_cast<float*>(tensor.bytes.data());
    tensors_.push_back(std::move(tensor));
    return {};
  }

  void write(std::ostream& output) const {
    for (const NamedTensor& tensor : tensors_) {
      output << "tensor float32 " << tensor.name;
      for (std::int64_t dim : tensor.dims) output << ' ' << dim;
      output << '\n';
    }
    output << "data\n";
    for (const NamedTensor& tensor : tensors_) {
      output.write(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    }
  }

 private:
  std::vector<NamedTensor> tensors_;
};

}  // namespace headwise::tool
