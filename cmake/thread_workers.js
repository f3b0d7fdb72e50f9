// Emscripten JavaScript library of the builds with threads, linked by cmake/wasm_module.cmake.
//
// Emscripten would start each thread as a Worker from the very file that starts it, which bundlers
// take for a circle and which hides why a Worker did not start. Here the module's TypeScript makes
// the Workers (web/module/src/threads), waits until they run and hands them over, one at a time.
/* global LibraryManager, Module, PThread, error */
const pthreads = LibraryManager.library.$PThread
if (typeof pthreads.allocateUnusedWorker !== 'function') {
  error('this Emscripten starts its threads in a way that cmake/thread_workers.js does not know')
}
pthreads.allocateUnusedWorker = () => {
  const worker = Module['nextThread']()
  PThread.unusedWorkers.push(worker)
  return worker
}
