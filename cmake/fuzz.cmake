# One libFuzzer program of each tests/fuzz/*_fuzz.cpp (Clang only; npm run fuzz builds and runs them).

file(GLOB fuzz_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tests/fuzz/*_fuzz.cpp")
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE headwise headwise_warnings)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endforeach()
