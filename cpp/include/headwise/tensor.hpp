// A non-owning, strided view of static rank: the only shape in which ops see data.
// No arithmetic, no ownership, no dynamic rank (TensorArgument in attention.hpp has that).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace headwise {

template <class T, std::size_t Rank>
struct Tensor {
  T* data = nullptr;
  std::array<std::int64_t, Rank> dims{};
  std::array<std::int64_t, Rank> strides{};  // in elements

  // Row-major and without gaps.
  static constexpr Tensor contiguous(T* data, const std::array<std::int64_t, Rank>& dims) {
    Tensor view{data, dims, {}};
    std::int64_t stride = 1;
    for (std::size_t i = Rank; i-- > 0;) {
      view.strides[i] = stride;
      stride *= dims[i];
    }
    return view;
  }

  constexpr std::int64_t size() const {
    std::int64_t product = 1;
    for (std::int64_t dim : dims) product *= dim;
    return product;
  }

  template <class... Index>
  constexpr T* at(Index... index) const {
    static_assert(sizeof...(Index) <= Rank);
    const std::array<std::int64_t, sizeof...(Index)> indices{static_cast<std::int64_t>(index)...};
    T* pointer = data;
    for (std::size_t i = 0; i < indices.size(); ++i) pointer += indices[i] * strides[i];
    return pointer;
  }

  constexpr operator Tensor<const T, Rank>() const { return {data, dims, strides}; }
};

// x [B, S, H * D] seen as [B, H, S, D]: head h is columns h * D ... (h + 1) * D - 1.
template <class T>
constexpr Tensor<T, 4> split_heads(const Tensor<T, 3>& x, std::int64_t num_heads) {
  const std::int64_t head_dim = x.dims[2] / num_heads;
  return {x.data,
          {x.dims[0], num_heads, x.dims[1], head_dim},
          {x.strides[0], head_dim * x.strides[2], x.strides[1], x.strides[2]}};
}

}  // namespace headwise
