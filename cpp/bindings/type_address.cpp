// Embind writes the addresses of types, which have no names here, by sprintf("%p"), and that brings
// all of printf along. The linker puts this in its place (cmake/wasm_module.cmake), by this name.
#include <cstdarg>
#include <cstdint>

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,cert-dcl50-cpp)
// NOLINTBEGIN(readability-identifier-naming)
extern "C" int __wrap_siprintf(char* text, const char* format, ...);

extern "C" int __wrap_siprintf(char* text, const char* format, ...) {
  // NOLINTEND(readability-identifier-naming)
  // NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,cert-dcl50-cpp)
  va_list values;
  va_start(values, format);
  const auto address = reinterpret_cast<std::uintptr_t>(va_arg(values, const void*));
  va_end(values);
  char* end = text;
  for (int shift = 28; shift >= 0; shift -= 4) *end++ = "0123456789abcdef"[address >> shift & 15];
  *end = '\0';
  return static_cast<int>(end - text);
}
