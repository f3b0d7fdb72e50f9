// What the analyses ask of the tensors they are given, and of memory.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "headwise/attention.hpp"
#include "headwise/memory.hpp"
#include "headwise/status.hpp"

namespace headwise::analysis {

// Memory for results and workspaces, in turn, by their numbers of elements.
Status take(std::initializer_list<std::pair<Buffer<double>*, std::int64_t>> buffers);
Status take(std::initializer_list<std::pair<Buffer<float>*, std::int64_t>> buffers);

// Whether the tensor has a rank in [least_rank, most_rank], no axis of length 0, and finite numbers
// only; `shape` tells what would do.
Status check_tensor(const TensorArgument& tensor, const char* argument, int least_rank,
                    int most_rank, const char* shape);

}  // namespace headwise::analysis
