// The trace of attention by tiles: a call with its results, computed at once.
#include "headwise/analysis/tile_trace.hpp"

#include <emscripten/bind.h>

#include "record.hpp"
#include "status.hpp"

using namespace emscripten;  // NOLINT(google-build-using-namespace): the customary Embind block

namespace headwise::bindings {
namespace {

using analysis::TileTrace;

bool compute(TileTrace& trace) {
  RecordReader in;
  analysis::TileTraceCall call;
  call.query = in.argument();
  call.key = in.argument();
  call.value = in.argument();
  call.query_tile = in.integer();
  call.key_tile = in.integer();
  call.scale = in.optional_number();
  call.causal = in.flag();
  return succeeded(trace.compute(call));
}

// Scores, exponentials, maximum, sum, rescale, accumulated, output, moved.
void results(const TileTrace& trace) {
  RecordWriter out;
  for (const float* pairs : {trace.scores(), trace.exponentials()}) {
    out.tensor(pairs, trace.queries(), trace.keys());
  }
  for (const float* state : {trace.maximum(), trace.sum(), trace.rescale()}) {
    out.tensor(state, trace.key_tiles(), trace.queries());
  }
  out.tensor(trace.accumulated(), trace.key_tiles(), trace.queries(), trace.value_dim());
  out.tensor(trace.output(), trace.queries(), trace.value_dim());
  out.tensor(trace.moved(), trace.query_tiles(), trace.key_tiles());
}

}  // namespace
}  // namespace headwise::bindings

EMSCRIPTEN_BINDINGS(headwise_tile_trace) {
  using namespace headwise::bindings;
  class_<TileTrace>("TileTrace")
      .constructor<>()
      .function("compute", &compute)
      .function("results", &results);
}
