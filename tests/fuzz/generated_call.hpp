// A call to the op made from the fuzzer's bytes. Half of the inputs describe a sensible call with a
// few things changed; the rest take ranks and sizes as they come. Tensors lie in blocks of their
// exact size, so that the sanitizer notices a read beyond them.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "headwise/attention.hpp"

namespace headwise::fuzz {

// What is in the tensors and options: numbers of ordinary size, on which float and double agree
// closely; NaN and infinity among them; or huge and tiny ones too.
enum class Numbers { kOrdinary, kNotFinite, kAny };

class GeneratedCall {
 public:
  explicit GeneratedCall(FuzzedDataProvider& input) : input_(input) {
    // First of all, since an input that has run out gives zeros.
    numbers = static_cast<Numbers>(small(0, 2));
    specials_ = static_cast<std::uint32_t>(numbers) * 4;
    seed_ = input_.ConsumeIntegral<std::uint32_t>();
    if (input_.ConsumeBool()) {
      sensible_shapes();
    } else {
      arbitrary_shapes();
    }
    options();
    if (input_.ConsumeProbability<double>() < 0.3) change_one_size();
  }

  AttentionCall call;
  Numbers numbers = Numbers::kOrdinary;

  // Gives every tensor its data; only for calls whose sizes are small.
  void fill() {
    data_.reserve(8);  // pointers into it stay valid
    for (TensorArgument* tensor :
         {&call.query, &call.key, &call.value, &call.past_key, &call.past_value}) {
      if (tensor->given()) tensor->data = floats(tensor->dims, tensor->rank);
    }
    MaskArgument& mask = call.mask;
    if (mask.given() && mask_is_boolean_) {
      mask.allowed = booleans(mask.dims, mask.rank);
    } else if (mask.given()) {
      mask.bias = bias(mask.dims, mask.rank);
    }
    if (call.key_mask_rank != 0) call.key_mask = booleans(call.key_mask_dims, call.key_mask_rank);
    if (call.head_mask_size.has_value()) call.head_mask = floats({*call.head_mask_size}, 1);
    if (call.kv_lengths_size.has_value()) {
      lengths_.resize(static_cast<std::size_t>(*call.kv_lengths_size));
      lengths_.shrink_to_fit();
      for (std::int32_t& length : lengths_) {
        length = input_.ConsumeBool() ? input_.ConsumeIntegralInRange<std::int32_t>(0, 12)
                                      : input_.ConsumeIntegral<std::int32_t>();
      }
      call.kv_lengths = lengths_.data();
    }
  }

 private:
  using Dims = std::array<std::int64_t, 8>;

  std::int64_t small(std::int64_t low, std::int64_t high) {
    return input_.ConsumeIntegralInRange<std::int64_t>(low, high);
  }
  std::int64_t any() {
    return input_.ConsumeBool() ? small(-1, 9) : input_.ConsumeIntegral<std::int64_t>();
  }

  void sensible_shapes() {
    const std::int64_t batch = small(0, 2);
    const std::int64_t kv_heads = small(1, 3);
    const std::int64_t heads = kv_heads * small(1, 3);
    const std::int64_t queries = small(0, 9);
    const std::int64_t keys = input_.ConsumeBool() ? small(0, 12) : small(0, 70);
    const std::int64_t width = small(1, 12);
    const std::int64_t value_width = small(1, 12);
    if (input_.ConsumeBool()) {
      call.query = {nullptr, 4, {batch, heads, queries, width}};
      call.key = {nullptr, 4, {batch, kv_heads, keys, width}};
      call.value = {nullptr, 4, {batch, kv_heads, keys, value_width}};
    } else {
      call.num_heads = heads;
      call.kv_heads = kv_heads;
      call.query = {nullptr, 3, {batch, queries, heads * width}};
      call.key = {nullptr, 3, {batch, keys, kv_heads * width}};
      call.value = {nullptr, 3, {batch, keys, kv_heads * value_width}};
    }
    std::int64_t total = keys;
    if (input_.ConsumeBool()) {
      const std::int64_t past = small(0, 20);
      total += past;
      call.past_key = {nullptr, 4, {batch, kv_heads, past, width}};
      call.past_value = {nullptr, 4, {batch, kv_heads, past, value_width}};
    } else if (input_.ConsumeBool()) {
      call.kv_lengths_size = batch;
    }
    if (input_.ConsumeBool()) {
      call.mask.rank = static_cast<int>(small(1, 4));
      const Dims full{batch, heads, queries, total};
      for (int i = 0; i < call.mask.rank; ++i) {
        const std::int64_t dim = full[4 - call.mask.rank + i];
        const bool last = i == call.mask.rank - 1;
        call.mask.dims[i] = last ? dim - std::min(small(0, 3), dim) : small(0, 1) == 0 ? dim : 1;
      }
    }
    if (input_.ConsumeBool()) {
      call.key_mask_rank = 2;
      call.key_mask_dims = {batch, total};
    }
    if (input_.ConsumeBool()) call.head_mask_size = heads;
  }

  TensorArgument arbitrary_tensor() {
    TensorArgument tensor;
    tensor.rank = static_cast<int>(small(0, 9));
    for (std::int64_t& dim : tensor.dims) dim = any();
    return tensor;
  }

  void arbitrary_shapes() {
    call.query = arbitrary_tensor();
    call.key = arbitrary_tensor();
    call.value = arbitrary_tensor();
    if (input_.ConsumeBool()) call.past_key = arbitrary_tensor();
    if (input_.ConsumeBool()) call.past_value = arbitrary_tensor();
    if (input_.ConsumeBool()) call.num_heads = any();
    if (input_.ConsumeBool()) call.kv_heads = any();
    if (input_.ConsumeBool()) call.kv_lengths_size = any();
    if (input_.ConsumeBool()) call.head_mask_size = any();
    const TensorArgument mask = arbitrary_tensor();
    call.mask.rank = mask.rank;
    call.mask.dims = mask.dims;
    const TensorArgument key_mask = arbitrary_tensor();
    call.key_mask_rank = key_mask.rank;
    call.key_mask_dims = key_mask.dims;
    if (input_.ConsumeBool()) {
      call.cache_length = any();
      call.cache_capacity = any();
      call.cache_batch = any();
      call.cache_kv_heads = any();
      call.cache_head_dim = any();
      call.cache_value_head_dim = any();
    }
  }

  double number(double ordinary) {
    if (input_.ConsumeIntegralInRange<int>(0, 7) != 0) {
      return ordinary * input_.ConsumeProbability<double>();
    }
    numbers = Numbers::kAny;
    return input_.ConsumeFloatingPoint<double>();
  }

  void options() {
    mask_is_boolean_ = input_.ConsumeBool();
    if (input_.ConsumeBool()) call.scale = number(1.0);
    if (input_.ConsumeBool()) call.softcap = number(20.0);
    call.causal = input_.ConsumeBool();
    if (input_.ConsumeBool()) call.causal_offset = any();
    if (input_.ConsumeBool()) call.window_left = any();
    if (input_.ConsumeBool()) call.window_right = any();
  }

  void change_one_size() {
    TensorArgument* const tensors[] = {&call.query, &call.key, &call.value, &call.past_key,
                                       &call.past_value};
    TensorArgument* tensor = tensors[small(0, 4)];
    if (tensor->given()) tensor->dims[static_cast<std::size_t>(small(0, 3))] = any();
  }

  static std::size_t product(const Dims& dims, int rank) {
    std::int64_t size = 1;
    for (int i = 0; i < rank; ++i) size *= dims[static_cast<std::size_t>(i)];
    return static_cast<std::size_t>(size);
  }

  std::uint32_t random() {  // xorshift
    seed_ ^= seed_ << 13;
    seed_ ^= seed_ >> 17;
    seed_ ^= seed_ << 5;
    return seed_ == 0 ? seed_ = 1 : seed_;
  }
  float ordinary() { return static_cast<float>(random() % 4001) / 1000.0F - 2.0F; }
  float value() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    // The first four for kNotFinite.
    constexpr float kSpecials[] = {std::numeric_limits<float>::quiet_NaN(),
                                   kInfinity,
                                   -kInfinity,
                                   -0.0F,
                                   std::numeric_limits<float>::max(),
                                   std::numeric_limits<float>::lowest(),
                                   std::numeric_limits<float>::denorm_min(),
                                   1e20F};
    if (specials_ > 0 && random() % 16 == 0) return kSpecials[random() % specials_];
    return ordinary();
  }

  const float* floats(const Dims& dims, int rank) {
    std::vector<float>& data = data_.emplace_back(product(dims, rank));
    for (float& element : data) element = value();
    return data.data();
  }
  const float* bias(const Dims& dims, int rank) {
    std::vector<float>& data = data_.emplace_back(product(dims, rank));
    for (float& element : data) {
      element = random() % 4 == 0 ? -std::numeric_limits<float>::infinity() : value();
    }
    return data.data();
  }
  const std::uint8_t* booleans(const Dims& dims, int rank) {
    std::vector<std::uint8_t>& data = bytes_[used_bytes_++];
    data.resize(product(dims, rank));
    for (std::uint8_t& element : data) element = random() % 3 != 0;
    return data.data();
  }

  FuzzedDataProvider& input_;
  std::uint32_t seed_ = 0;
  std::uint32_t specials_ = 0;  // how many of the special values may come
  bool mask_is_boolean_ = false;
  std::vector<std::vector<float>> data_;
  std::vector<std::uint8_t> bytes_[2];
  std::size_t used_bytes_ = 0;
  std::vector<std::int32_t> lengths_;
};

}  // namespace headwise::fuzz
