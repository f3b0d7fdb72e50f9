// The small values that cross between JavaScript and C++, and what they stand for. Large data never
// crosses: JavaScript writes it into memory it took with `allocate` and passes the address.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "headwise/attention.hpp"
#include "headwise/status.hpp"

namespace headwise::bindings {

// JavaScript's numbers are doubles: sizes and addresses cross as such (exact up to 2^53).
using Number = double;

constexpr int kMaximumRank = 8;
using Dims = std::array<Number, kMaximumRank>;

// `code` is empty on success, so that the usual answer costs four empty strings.
struct StatusValue {
  std::string code, argument, expected, received;
};

inline StatusValue to_value(const Status& status) {
  if (status.ok()) return {};
  return {to_string(status.code), status.argument, status.expected, status.received};
}

// A tensor by address; rank 0 = not given.
struct TensorValue {
  Number address = 0;
  int rank = 0;
  Dims dims{};
};

template <class T>
T* pointer_to(Number address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

inline Number address_of(const void* pointer) {
  return static_cast<Number>(reinterpret_cast<std::uintptr_t>(pointer));
}

inline std::array<std::int64_t, kMaximumRank> dims_of(const TensorValue& value) {
  std::array<std::int64_t, kMaximumRank> dims{};
  for (int i = 0; i < kMaximumRank; ++i) dims[i] = static_cast<std::int64_t>(value.dims[i]);
  return dims;
}

inline TensorArgument tensor_argument(const TensorValue& value) {
  return {pointer_to<const float>(value.address), value.rank, dims_of(value)};
}

inline std::optional<std::int64_t> integer(const std::optional<Number>& value) {
  if (!value.has_value()) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

// A contiguous result; an empty list of dims is not a result.
template <class... Size>
TensorValue tensor_value(const void* data, Size... sizes) {
  TensorValue value{address_of(data), sizeof...(Size), {}};
  const std::array<std::int64_t, sizeof...(Size)> dims{static_cast<std::int64_t>(sizes)...};
  for (std::size_t i = 0; i < dims.size(); ++i) value.dims[i] = static_cast<Number>(dims[i]);
  return value;
}

}  // namespace headwise::bindings
