#include "analysis/tensors.hpp"

#include <cmath>

#include "text.hpp"

namespace headwise::analysis {
namespace {

template <class T>
Status take_each(std::initializer_list<std::pair<Buffer<T>*, std::int64_t>> buffers) {
  for (const auto& [buffer, size] : buffers) {
    HEADWISE_RETURN_IF_ERROR(buffer->allocate(size, "analysis"));
  }
  return {};
}

}  // namespace

Status take(std::initializer_list<std::pair<Buffer<double>*, std::int64_t>> buffers) {
  return take_each(buffers);
}
Status take(std::initializer_list<std::pair<Buffer<float>*, std::int64_t>> buffers) {
  return take_each(buffers);
}

Status check_tensor(const TensorArgument& tensor, const char* argument, int least_rank,
                    int most_rank, const char* shape) {
  std::int64_t size = 1;
  for (int axis = 0; axis < tensor.rank; ++axis) size *= tensor.dims[axis];
  if (tensor.rank < least_rank || tensor.rank > most_rank || size == 0) {
    return Status::invalid(argument, shape, shape_text(tensor.dims, tensor.rank));
  }
  for (std::int64_t i = 0; i < size; ++i) {
    if (!std::isfinite(tensor.data[i])) {
      return Status::invalid(argument, "finite numbers", text(double{tensor.data[i]}));
    }
  }
  return {};
}

}  // namespace headwise::analysis
