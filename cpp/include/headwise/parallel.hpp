// Work in independent, numbered pieces. Whoever computes a piece, its content is the same, so the
// result's bits never depend on the number of threads.
#pragma once

#include <cstdint>
#include <type_traits>

namespace headwise {

// How many pieces may run at once; workspaces are taken per thread. 1 without threads.
int thread_count();

// Calls body(context, piece, thread) for every piece in [0, pieces), thread < thread_count().
// Returns when all are done.
void parallel_for(std::int64_t pieces, void (*body)(void* context, std::int64_t piece, int thread),
                  void* context);

// The same for a callable `body(piece, thread)`.
template <class Body>
void parallel_for(std::int64_t pieces, Body&& body) {
  using Callable = std::remove_reference_t<Body>;
  parallel_for(
      pieces,
      [](void* context, std::int64_t piece, int thread) {
        (*static_cast<Callable*>(context))(piece, thread);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace headwise
