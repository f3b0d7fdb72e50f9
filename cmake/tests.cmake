# One GoogleTest program of everything under tests/cpp, natively and as WebAssembly for Node.
# It reads files by absolute path in both (golden activations, model files).

enable_testing()
set(folder "${CMAKE_CURRENT_SOURCE_DIR}/tests/cpp")
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS "${folder}/*.cpp")
add_executable(headwise_tests ${test_sources})
target_include_directories(headwise_tests PRIVATE "${folder}" cpp/src)
target_link_libraries(headwise_tests PRIVATE headwise headwise_warnings xsimd_headers googletest)
target_compile_options(headwise_tests PRIVATE -O1) # the library under test keeps its own level
target_compile_definitions(
  headwise_tests PRIVATE "HEADWISE_REPOSITORY=\"${CMAKE_CURRENT_SOURCE_DIR}\"")

if(EMSCRIPTEN)
  target_link_options(
    headwise_tests
    PRIVATE
    -O2
    ${wasm_memory_options}
    -sENVIRONMENT=node
    -sNODERAWFS
    -sEXIT_RUNTIME
    -sABORTING_MALLOC=0
    -sSTACK_SIZE=1MB
    -sSUPPORT_LONGJMP=0
    # A test that fails should say where.
    --profiling-funcs)
  if(HEADWISE_BUILD MATCHES "threads")
    target_link_options(headwise_tests PRIVATE -sPTHREAD_POOL_SIZE=8 -sPROXY_TO_PTHREAD)
  endif()

  # Emscripten writes CommonJS; .js means an ES module in this repository.
  set(program "${CMAKE_CURRENT_BINARY_DIR}/headwise_tests.cjs")
  add_custom_command(
    TARGET headwise_tests
    POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:headwise_tests> "${program}"
    BYPRODUCTS "${program}")
  set(node_flags)
  if(HEADWISE_BUILD MATCHES "relaxed")
    # Node 20 still asks for it, and its baseline compiler cannot do the dots of int8 weights.
    set(node_flags --experimental-wasm-relaxed-simd --no-liftoff)
  endif()
  add_test(NAME headwise_tests COMMAND node ${node_flags} "${program}")
else()
  add_test(NAME headwise_tests COMMAND headwise_tests)
endif()
