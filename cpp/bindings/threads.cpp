// How the module computes: the pool of threads, made once by whoever creates it, and for tests the
// kernel of int8 weights.
#include <emscripten/bind.h>

#include "headwise/linear.hpp"
#include "headwise/parallel.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

EMSCRIPTEN_BINDINGS(headwise_threads) {
  function("threadCount", &headwise::thread_count);
  function("setThreadCount", &headwise::set_thread_count);
  function("useQuads", &headwise::use_quads);
}
