# xsimd (headers of the SIMD wrapper) and the sources of GoogleTest: from where the environment says,
# else from what is installed, else fetched by CMake. Both count as system headers.

include(FetchContent)
set(FETCHCONTENT_QUIET OFF)

add_library(xsimd_headers INTERFACE)
set(HEADWISE_XSIMD_INCLUDE "$ENV{HEADWISE_XSIMD_INCLUDE}" CACHE PATH "Folder that holds xsimd/")
if(HEADWISE_XSIMD_INCLUDE)
  target_include_directories(xsimd_headers SYSTEM INTERFACE "${HEADWISE_XSIMD_INCLUDE}")
else()
  find_package(xsimd 13 QUIET)
  if(NOT xsimd_FOUND)
    FetchContent_Declare(
      xsimd
      GIT_REPOSITORY https://github.com/xtensor-stack/xsimd.git
      GIT_TAG 14.3.0
      GIT_SHALLOW ON)
    FetchContent_MakeAvailable(xsimd)
  endif()
  get_target_property(include_folders xsimd INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(xsimd_headers SYSTEM INTERFACE ${include_folders})
endif()

if(HEADWISE_TESTS)
  # Compiled here rather than linked: the same sources then serve natively and as WebAssembly.
  find_path(
    HEADWISE_GOOGLETEST src/gtest-all.cc
    PATHS /usr/src/googletest/googletest
    NO_CMAKE_FIND_ROOT_PATH
    DOC "Folder with GoogleTest's include/ and src/")
  if(NOT HEADWISE_GOOGLETEST)
    FetchContent_Declare(
      googletest
      GIT_REPOSITORY https://github.com/google/googletest.git
      GIT_TAG v1.17.0
      GIT_SHALLOW ON
      SOURCE_SUBDIR unused)
    FetchContent_MakeAvailable(googletest)
    set(HEADWISE_GOOGLETEST "${googletest_SOURCE_DIR}/googletest" CACHE PATH "" FORCE)
  endif()
  add_library(
    googletest STATIC "${HEADWISE_GOOGLETEST}/src/gtest-all.cc" "${HEADWISE_GOOGLETEST}/src/gtest_main.cc")
  target_include_directories(googletest PRIVATE "${HEADWISE_GOOGLETEST}")
  target_include_directories(googletest SYSTEM PUBLIC "${HEADWISE_GOOGLETEST}/include")
  target_link_libraries(googletest PUBLIC headwise_options)
  target_compile_options(googletest PRIVATE -O1) # most of the build time, none of the run time
  if(EMSCRIPTEN AND NOT HEADWISE_BUILD MATCHES "threads")
    target_compile_definitions(googletest PUBLIC GTEST_HAS_PTHREAD=0)
  elseif(NOT EMSCRIPTEN) # Emscripten's threads are an option of everything (compile_options.cmake)
    find_package(Threads REQUIRED)
    target_link_libraries(googletest PUBLIC Threads::Threads)
  endif()
endif()
