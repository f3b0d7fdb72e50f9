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
    busy_ = pieces > 1 ? helpers_ : 0;
    if (busy_ != 0) announce();
  }

  void finish() {
    drain(0);
    for (int look = 0; busy_.load() != 0; ++look) {
      const int busy = busy_.load();
      if (look > kLooksForTheOthers && busy != 0) busy_.wait(busy);
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
        if (look > kLooksBeforeSleep) pool.round_.wait(member.seen);
      }
      ++member.seen;
      if (pool.stopping_) return nullptr;
      pool.drain(member.number);
      if (pool.busy_.fetch_sub(1) == 1) pool.busy_.notify_one();
    }
  }

  void announce() {
    round_.fetch_add(1);
    round_.notify_all();
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
  std::atomic<std::uint32_t> round_{0};
  std::atomic<int> busy_{0};
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
