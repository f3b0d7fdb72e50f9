# Interface targets: `headwise_options`, which everything is compiled with (language, instruction set,
# sanitizers; GoogleTest too, so that all object files agree), `headwise_warnings` for our own files,
# and `headwise_conversion_warnings` for those of them that are not tests.
#
# Floating point stays exact on purpose: no -ffast-math (masking relies on infinities), no
# contraction of a * b + c, no -march=native, so that a native result is the same on every machine.

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -fno-omit-frame-pointer") # assertions stay on

add_library(headwise_options INTERFACE)
target_compile_features(headwise_options INTERFACE cxx_std_20)
target_compile_options(headwise_options INTERFACE -fno-exceptions -fno-rtti -ffp-contract=off)

if(HEADWISE_SANITIZE)
  # vptr checks need RTTI.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all)
  target_compile_options(headwise_options INTERFACE ${sanitizers})
  target_link_options(headwise_options INTERFACE ${sanitizers})
endif()
if(HEADWISE_FUZZ)
  target_compile_options(headwise_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The sources ask for the build by these names; kernels/simd.hpp is the one to do so.
string(TOUPPER "${HEADWISE_BUILD}" build_names)
string(REPLACE "-" ";" build_names "${build_names}")
list(TRANSFORM build_names PREPEND "HEADWISE_BUILD_")
target_compile_definitions(
  headwise_options INTERFACE ${build_names} "HEADWISE_BUILD_NAME=\"${HEADWISE_BUILD}\"")

if(EMSCRIPTEN)
  # The linker chooses the variants of Emscripten's own libraries by this.
  target_link_options(headwise_options INTERFACE -fno-rtti -fno-exceptions)
  if(NOT HEADWISE_BUILD STREQUAL "scalar")
    target_compile_options(headwise_options INTERFACE -msimd128)
  endif()
  if(HEADWISE_BUILD MATCHES "relaxed")
    target_compile_options(headwise_options INTERFACE -mrelaxed-simd)
  endif()
  if(HEADWISE_BUILD MATCHES "threads")
    target_compile_options(headwise_options INTERFACE -pthread)
    target_link_options(headwise_options INTERFACE -pthread)
  endif()
endif()

add_library(headwise_warnings INTERFACE)
target_compile_options(
  headwise_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                              -Wimplicit-fallthrough -Werror)

add_library(headwise_conversion_warnings INTERFACE)
target_compile_options(
  headwise_conversion_warnings INTERFACE -Wconversion -Wno-sign-conversion)
