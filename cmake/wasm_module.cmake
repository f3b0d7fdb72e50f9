# The ES module headwise-<build>.js + .wasm from cpp/bindings: Embind over the library.
#
# No eval and no generated code at run time (DYNAMIC_EXECUTION=0 with EMBIND_AOT), no file system,
# failed allocations come back as null instead of a trap.

set(
  wasm_module_link_options
  -Oz # what computes is as fast, and the whole 6 % smaller than at -O3
  -sMODULARIZE
  -sEXPORT_ES6
  -sEXPORT_NAME=createHeadwise
  -sENVIRONMENT=web,worker,node
  -sDYNAMIC_EXECUTION=0
  -sEMBIND_AOT
  -sFILESYSTEM=0
  -sABORTING_MALLOC=0
  -sMALLOC=emmalloc # 7 KB less; nothing asks for memory while it computes
  -sSTACK_SIZE=1MB
  -sSUPPORT_LONGJMP=0
  -Wl,--wrap=siprintf
  -Wl,-mllvm,-vectorize-loops=0,-mllvm,-vectorize-slp=0 # as the sources are compiled
  "-sEXPORTED_RUNTIME_METHODS=HEAPU8,HEAP8,HEAP32,HEAPU32,HEAPF32,HEAPF64"
  "-sEXPORTED_FUNCTIONS=_malloc,_free"
  "-sINCOMING_MODULE_JS_API=wasmBinary,instantiateWasm,locateFile,print,printErr,onAbort,wasmMemory,INITIAL_MEMORY")

# Chromium 91, Firefox 89, Safari 16.4 and Node 20 have all that the plain builds use.
list(APPEND wasm_module_link_options -sMIN_NODE_VERSION=200000 -sMIN_CHROME_VERSION=91
     -sMIN_FIREFOX_VERSION=89 -sMIN_SAFARI_VERSION=160400)

if(HEADWISE_BUILD MATCHES "threads")
  # The module makes the memory itself and passes it as `wasmMemory`, so that it can ask for less
  # where a device refuses; only a memory that may grow may differ from the sizes given here.
  set(wasm_memory_options -sINITIAL_MEMORY=16MB -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
                          -Wno-pthreads-mem-growth)
  # The pool is made once, before anything computes: a thread never waits for the event loop.
  list(APPEND wasm_module_link_options "-sPTHREAD_POOL_SIZE=Module['helperThreads']"
       -sDEFAULT_PTHREAD_STACK_SIZE=256KB --js-library=${CMAKE_CURRENT_LIST_DIR}/thread_workers.js)
else()
  set(wasm_memory_options -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB)
endif()
if(EMSCRIPTEN_VERSION VERSION_GREATER_EQUAL 6)
  list(APPEND wasm_memory_options -sGROWABLE_ARRAYBUFFERS=0)
endif()

file(GLOB binding_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/cpp/bindings/*.cpp")
if(binding_sources)
  add_executable(headwise_module ${binding_sources})
  set_target_properties(
    headwise_module PROPERTIES OUTPUT_NAME "headwise-${HEADWISE_BUILD}" SUFFIX ".js")
  target_link_libraries(headwise_module PRIVATE headwise headwise_warnings headwise_conversion_warnings embind)
  target_compile_options(headwise_module PRIVATE -Oz -flto) # they translate; the library computes
  # Without RTTI the names of unbound types in Embind's messages are not available.
  target_compile_definitions(headwise_module PRIVATE EMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
  target_link_options(
    headwise_module PRIVATE ${wasm_module_link_options} ${wasm_memory_options})
  set_target_properties(
    headwise_module PROPERTIES LINK_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/thread_workers.js")
endif()
