// One thread: pieces in their order.
#include "headwise/parallel.hpp"

namespace headwise {

int thread_count() { return 1; }

void parallel_for(std::int64_t pieces, void (*body)(void*, std::int64_t, int), void* context) {
  for (std::int64_t piece = 0; piece < pieces; ++piece) body(context, piece, 0);
}

}  // namespace headwise
