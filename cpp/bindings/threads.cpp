// The pool of threads, made once by whoever creates the module.
#include <emscripten/bind.h>

#include "headwise/parallel.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

EMSCRIPTEN_BINDINGS(headwise_threads) {
  function("threadCount", &headwise::thread_count);
  function("setThreadCount", &headwise::set_thread_count);
}
