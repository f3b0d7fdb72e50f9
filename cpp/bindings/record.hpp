// How a call crosses from JavaScript, and its results back: as plain numbers, one after another, in
// a record that both sides know by its address. An object of Embind's would cost a call per field.
//
// JavaScript writes a record and calls at once; whoever is called reads the numbers in the order in
// which they were written, before anything else uses the record. Large data never crosses:
// JavaScript writes it into memory that it took with `allocate`, and passes the address.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "headwise/attention.hpp"

namespace headwise::bindings {

// JavaScript's numbers are doubles: sizes and addresses cross as such (exact up to 2^53).
using Number = double;

template <class T>
T* pointer_to(Number address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

inline Number address_of(const void* pointer) {
  return static_cast<Number>(reinterpret_cast<std::uintptr_t>(pointer));
}

// Room for every call there is: a tensor takes 2 numbers and its dims, of which there are up to 8.
inline constexpr int kRecordSize = 256;
inline std::array<Number, kRecordSize> record{};

// A tensor of whatever type by address; rank 0 = not given.
struct TensorValue {
  Number address = 0;
  int rank = 0;
  std::array<std::int64_t, 8> dims{};

  template <class T>
  T* data() const {
    return pointer_to<T>(address);
  }
  bool given() const { return rank != 0; }
};

class RecordReader {
 public:
  Number number() { return *next_++; }
  bool flag() { return number() != 0; }
  std::int64_t integer() { return static_cast<std::int64_t>(number()); }

  // Written as whether it is given, and its value.
  std::optional<Number> optional_number() {
    const bool given = flag();
    const Number value = number();
    return given ? std::optional(value) : std::nullopt;
  }
  std::optional<std::int64_t> optional_integer() {
    const std::optional<Number> value = optional_number();
    return value.has_value() ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
  }

  // Written as address, rank and as many dims.
  TensorValue tensor() {
    TensorValue value;
    value.address = number();
    value.rank = static_cast<int>(number());
    for (int axis = 0; axis < value.rank; ++axis) value.dims[axis] = integer();
    return value;
  }
  // A tensor of floats as the op and the layers take it.
  TensorArgument argument() {
    const TensorValue value = tensor();
    return {value.data<const float>(), value.rank, value.dims};
  }

 private:
  const Number* next_ = record.data();
};

class RecordWriter {
 public:
  void number(Number value) { *next_++ = value; }

  // A contiguous result; one without memory is not there, and is written with rank 0.
  template <class... Size>
  void tensor(const void* data, Size... sizes) {
    number(address_of(data));
    number(data == nullptr ? 0 : static_cast<int>(sizeof...(Size)));
    if (data != nullptr) (number(static_cast<Number>(sizes)), ...);
  }

 private:
  Number* next_ = record.data();
};

}  // namespace headwise::bindings
