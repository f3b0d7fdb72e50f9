// A pool of threads that take pieces from one counter; without threads, a loop.
#include "headwise/parallel.hpp"

#if defined(HEADWISE_BUILD_THREADS) || defined(HEADWISE_BUILD_NATIVE)
#define HEADWISE_HAS_THREADS 1
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#endif

namespace headwise {

#if defined(HEADWISE_HAS_THREADS)
namespace {

constexpr int kMostThreads = 64;
// Before a thread sleeps it looks this often for more work, some ten microseconds: layers follow
// each other faster than that, and waking costs more.
constexpr int kLooksBeforeSleep = 10000;
// Whoever waits for the others' last pieces has nothing better to do.
constexpr int kLooksForTheOthers = 20 * kLooksBeforeSleep;

using Word = std::atomic<std::uint32_t>;

// What the standard's wait and notify are for. Emscripten's library looks again and again there, up
// to half as long apart as it has looked already; the instructions wake at once. Not inlined: in
// Node 20 a thread whose loop holds the instruction runs all that it calls at a fifth of the speed.
// It traps in a page's main thread, where nobody asks for threads.
#if defined(__wasm__)
[[gnu::noinline]] void sleep_while(Word& word, std::uint32_t value) {
  constexpr std::int64_t kForEver = -1;
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), static_cast<int>(value),
                                      kForEver);
}
void wake_all(Word& word) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word), ~0U);
}
#else
void sleep_while(Word& word, std::uint32_t value) { word.wait(value); }
void wake_all(Word& word) { word.notify_all(); }
#endif

class Pool {
 public:
  ~Pool() { stop(); }

  int size() const { return helpers_ + 1; }

  void start(int helpers) {
    stop();
    stopping_ = false;
    for (int i = 0; i < std::min(helpers, kMostThreads - 1); ++i) {
      members_[i] = {this, i + 1, round_.load()};
      if (pthread_create(&threads_[i], nullptr, &Pool::serve, &members_[i]) != 0) break;
      helpers_ = i + 1;
    }
  }

  void begin(std::int64_t pieces, PieceFunction body, void* context) {
    body_ = body;
    context_ = context;
    pieces_ = pieces;
    next_ = 0;
    // One piece is not worth waking others.
    busy_ = pieces > 1 ? static_cast<std::uint32_t>(helpers_) : 0;
    if (busy_ != 0) announce();
  }

  void finish() {
    drain(0);
    for (int look = 0; busy_.load() != 0; ++look) {
      const std::uint32_t busy = busy_.load();
      if (look > kLooksForTheOthers && busy != 0) sleep_while(busy_, busy);
    }
  }

 private:
  struct Member {
    Pool* pool = nullptr;
    int number = 0;
    std::uint32_t seen = 0;  // the last round this thread took part in
  };

  static void* serve(void* argument) {
    Member member = *static_cast<Member*>(argument);
    Pool& pool = *member.pool;
    for (;;) {
      for (int look = 0; pool.round_.load() == member.seen; ++look) {
        if (look > kLooksBeforeSleep) sleep_while(pool.round_, member.seen);
      }
      ++member.seen;
      if (pool.stopping_) return nullptr;
      pool.drain(member.number);
      if (pool.busy_.fetch_sub(1) == 1) wake_all(pool.busy_);
    }
  }

  void announce() {
    round_.fetch_add(1);
    wake_all(round_);
  }

  void drain(int thread) {
    for (std::int64_t piece = next_.fetch_add(1); piece < pieces_; piece = next_.fetch_add(1)) {
      body_(context_, piece, thread);
    }
  }

  void stop() {
    if (helpers_ == 0) return;
    stopping_ = true;
    announce();
    for (int i = 0; i < helpers_; ++i) pthread_join(threads_[i], nullptr);
    helpers_ = 0;
  }

  pthread_t threads_[kMostThreads - 1] = {};
  Member members_[kMostThreads - 1];
  int helpers_ = 0;
  Word round_{0};
  Word busy_{0};
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> stopping_{false};
  std::int64_t pieces_ = 0;
  PieceFunction body_ = nullptr;
  void* context_ = nullptr;
};

Pool& pool() {
  static Pool instance;
  return instance;
}

}  // namespace

int thread_count() { return pool().size(); }

int set_thread_count(int threads) {
  pool().start(std::max(threads, 1) - 1);
  return pool().size();
}

void begin_parallel(std::int64_t pieces, PieceFunction body, void* context) {
  pool().begin(pieces, body, context);
}

void finish_parallel() { pool().finish(); }

#else
namespace {

struct Work {
  std::int64_t pieces = 0;
  PieceFunction body = nullptr;
  void* context = nullptr;
} work;

}  // namespace

int thread_count() { return 1; }

int set_thread_count(int) { return 1; }

void begin_parallel(std::int64_t pieces, PieceFunction body, void* context) {
  work = {pieces, body, context};
}

void finish_parallel() {
  for (std::int64_t piece = 0; piece < work.pieces; ++piece) work.body(work.context, piece, 0);
}

#endif

void parallel_for(std::int64_t pieces, PieceFunction body, void* context) {
  begin_parallel(pieces, body, context);
  finish_parallel();
}

}  // namespace headwise
