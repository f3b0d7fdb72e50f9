// Work in independent, numbered pieces. Whoever computes a piece, its content is the same, so the
// result's bits never depend on the number of threads.
//
// One pool for the process, made by set_thread_count and kept; calls come from one thread at a
// time.
#pragma once

#include <cstdint>
#include <type_traits>

namespace headwise {

// How many pieces may run at once, the calling thread included; workspaces are taken per thread.
int thread_count();

// Makes the pool anew with so many threads (at least 1). Where the system refuses some of them the
// pool is smaller; builds without threads stay at 1. Returns what thread_count() now says.
int set_thread_count(int threads);

using PieceFunction = void (*)(void* context, std::int64_t piece, int thread);

// Calls body(context, piece, thread) for every piece in [0, pieces), thread < thread_count().
// Returns when all are done.
void parallel_for(std::int64_t pieces, PieceFunction body, void* context);

// The same in two calls, between which the calling thread may do something else (but nothing
// parallel) while the others have begun; all are done when the second returns.
void begin_parallel(std::int64_t pieces, PieceFunction body, void* context);
void finish_parallel();

// The same for a callable `body(piece, thread)`.
template <class Body>
void parallel_for(std::int64_t pieces, const Body& body) {
  parallel_for(
      pieces,
      [](void* context, std::int64_t piece, int thread) {
        (*static_cast<const Body*>(context))(piece, thread);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace headwise
