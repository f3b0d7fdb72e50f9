// Embind writes the addresses of types, which have no names here, by sprintf("%p"), and that brings
// all of printf along. The linker puts this in its place (cmake/wasm_module.cmake).
#include <cstdarg>
#include <cstdint>

extern "C" int write_type_address(char* text, const char* format, ...) __asm__("__wrap_siprintf");

extern "C" int write_type_address(char* text, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const auto address = reinterpret_cast<std::uintptr_t>(va_arg(values, const void*));
  va_end(values);
  char* end = text;
  for (int shift = 28; shift >= 0; shift -= 4) *end++ = "0123456789abcdef"[address >> shift & 15];
  *end = '\0';
  return static_cast<int>(end - text);
}
