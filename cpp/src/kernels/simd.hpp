// The only file that knows an instruction set. Everything above works on F32x4: four floats in
// every build, so one arithmetic serves native, WebAssembly SIMD, relaxed SIMD and scalar.
// Leaves out wider vectors on purpose: WebAssembly has none, and equal lanes mean equal results.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(HEADWISE_BUILD_SCALAR) && !defined(XSIMD_WITH_EMULATED)
#define XSIMD_WITH_EMULATED 1
#endif
#include <xsimd/xsimd.hpp>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

// Before a loop whose count is known and whose body works on registers: written out, or those would
// live in memory. WebAssembly builds with SIMD unroll nothing else.
#if defined(HEADWISE_BUILD_SCALAR)
#define HEADWISE_UNROLL
#elif defined(__clang__)
#define HEADWISE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HEADWISE_UNROLL _Pragma("GCC unroll 16")
#endif

namespace headwise::simd {

#if defined(HEADWISE_BUILD_SCALAR)
using Arch = xsimd::emulated<128>;
#elif defined(__wasm_simd128__)
using Arch = xsimd::wasm;
#elif defined(__x86_64__) || defined(_M_X64)
using Arch = xsimd::sse2;
#elif defined(__aarch64__)
using Arch = xsimd::neon64;
#else
#error "Configure the scalar build on this processor."
#endif

using F32x4 = xsimd::batch<float, Arch>;
using I32x4 = xsimd::batch<std::int32_t, Arch>;
static_assert(F32x4::size == 4);

inline F32x4 load(const float* p) { return F32x4::load_unaligned(p); }
inline void store(float* p, F32x4 v) { v.store_unaligned(p); }
inline F32x4 splat(float x) { return {x}; }

// a * b + c: fused where the instruction set has it at full speed, else two roundings.
inline F32x4 multiply_add(F32x4 a, F32x4 b, F32x4 c) {
#if defined(HEADWISE_BUILD_RELAXED)
  return {wasm_f32x4_relaxed_madd(a, b, c)};
#else
  return a * b + c;
#endif
}

// a < b ? b : a, one instruction everywhere; a NaN in b is passed over.
inline F32x4 pseudo_max(F32x4 a, F32x4 b) {
#if defined(HEADWISE_BUILD_SCALAR)
  return xsimd::select(a < b, b, a);
#else
  return xsimd::max(a, b);
#endif
}

// Sums in a fixed order, so that a row's sum never depends on the build's shuffles.
inline float horizontal_sum(F32x4 v) {
  float lanes[4];
  store(lanes, v);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

// The largest lane in every lane. Shuffles, since V8 compiles a choice between scalars to a branch.
inline F32x4 broadcast_max(F32x4 v) {
  using Halves = xsimd::batch_constant<std::uint32_t, Arch, 2, 3, 0, 1>;
  using Neighbours = xsimd::batch_constant<std::uint32_t, Arch, 1, 0, 3, 2>;
  v = pseudo_max(v, xsimd::swizzle(v, Halves()));
  return pseudo_max(v, xsimd::swizzle(v, Neighbours()));
}

inline float horizontal_max(F32x4 v) { return broadcast_max(v).get(0); }

// Turns four rows of four into four columns of four.
inline void transpose(F32x4 (&rows)[4]) { xsimd::transpose(rows, rows + 4); }

// --- Integers, for int8 weights. All of it is exact, so every build gives the same bits. ---------

using I16x8 = xsimd::batch<std::int16_t, Arch>;

inline I32x4 load(const std::int32_t* p) { return I32x4::load_unaligned(p); }
inline void store(std::int32_t* p, I32x4 v) { v.store_unaligned(p); }

// Eight weights of one byte, widened.
inline I16x8 load_widened(const std::int8_t* p) {
#if defined(HEADWISE_BUILD_SCALAR)
  std::int16_t lanes[8];
  HEADWISE_UNROLL
  for (int i = 0; i < 8; ++i) lanes[i] = p[i];
  return I16x8::load_unaligned(lanes);
#elif defined(__wasm_simd128__)
  return {wasm_i16x8_load8x8(p)};
#elif defined(__aarch64__)
  return {vmovl_s8(vld1_s8(p))};
#else
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  return {_mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8)};
#endif
}

// p[0], p[1], p[0], p[1], ...
inline I16x8 splat_pair(const std::int16_t* p) {
#if defined(__wasm_simd128__) && !defined(HEADWISE_BUILD_SCALAR)
  return {wasm_v128_load32_splat(p)};
#else
  std::int32_t pair = 0;
  std::memcpy(&pair, p, sizeof(pair));
  return xsimd::bitwise_cast<std::int16_t>(I32x4(pair));
#endif
}

// Lane i: a[2i] * b[2i] + a[2i + 1] * b[2i + 1].
inline I32x4 dot_pairs(I16x8 a, I16x8 b) {
#if defined(HEADWISE_BUILD_SCALAR)
  std::int16_t left[8];
  std::int16_t right[8];
  std::int32_t sums[4];
  a.store_unaligned(left);
  b.store_unaligned(right);
  HEADWISE_UNROLL
  for (int i = 0; i < 4; ++i) {
    sums[i] = left[2 * i] * right[2 * i] + left[2 * i + 1] * right[2 * i + 1];
  }
  return I32x4::load_unaligned(sums);
#elif defined(__wasm_simd128__)
  return {wasm_i32x4_dot_i16x8(a, b)};
#elif defined(__aarch64__)
  const int16x8_t left = a;
  const int16x8_t right = b;
  return {
      vpaddq_s32(vmull_s16(vget_low_s16(left), vget_low_s16(right)), vmull_high_s16(left, right))};
#else
  return {_mm_madd_epi16(a, b)};
#endif
}

// Four numbers below 2^15 as 16-bit integers.
inline void store_narrowed(std::int16_t* p, I32x4 v) {
#if defined(__wasm_simd128__) && !defined(HEADWISE_BUILD_SCALAR)
  wasm_v128_store64_lane(p, wasm_i16x8_narrow_i32x4(v, v), 0);
#else
  std::int32_t lanes[4];
  v.store_unaligned(lanes);
  HEADWISE_UNROLL
  for (int i = 0; i < 4; ++i) p[i] = static_cast<std::int16_t>(lanes[i]);
#endif
}

// Dots of bytes, which some processors have an instruction for: signed bytes times numbers of seven
// bits, whose sums are defined the same wherever relaxed SIMD is. Native builds only imitate it,
// for tests.
#if defined(HEADWISE_BUILD_RELAXED) || defined(HEADWISE_BUILD_NATIVE)
inline constexpr bool kHasQuadDot = true;
#else
inline constexpr bool kHasQuadDot = false;
#endif

using I8x16 = xsimd::batch<std::int8_t, Arch>;

inline I8x16 load(const std::int8_t* p) { return I8x16::load_unaligned(p); }

// p[0 ... 3], p[0 ... 3], ...
inline I8x16 splat_quad(const std::int8_t* p) {
  std::int32_t quad = 0;
  std::memcpy(&quad, p, sizeof(quad));
  return xsimd::bitwise_cast<std::int8_t>(I32x4(quad));
}

// Lane i: c + the sum of a[4i + j] * b[4i + j] over j in 0 ... 3, with 0 <= b < 128.
inline I32x4 dot_quads(I8x16 a, I8x16 b, I32x4 c) {
#if defined(HEADWISE_BUILD_RELAXED)
  return {wasm_i32x4_relaxed_dot_i8x16_i7x16_add(a, b, c)};
#else
  std::int8_t left[16];
  std::int8_t right[16];
  std::int32_t sums[4];
  a.store_unaligned(left);
  b.store_unaligned(right);
  c.store_unaligned(sums);
  HEADWISE_UNROLL
  for (int i = 0; i < 16; ++i) sums[i / 4] += left[i] * right[i];
  return load(sums);
#endif
}

// Four numbers of 14 bits in parts of seven: the high parts, then the low ones.
inline void store_parts(std::int8_t* p, I32x4 v) {
  const I32x4 high = v >> 7;
  const I32x4 low = v & I32x4(127);
#if defined(__wasm_simd128__) && !defined(HEADWISE_BUILD_SCALAR)
  const v128_t parts = wasm_i16x8_narrow_i32x4(high, low);
  wasm_v128_store64_lane(p, wasm_i8x16_narrow_i16x8(parts, parts), 0);
#else
  std::int32_t lanes[8];
  high.store_unaligned(lanes);
  low.store_unaligned(lanes + 4);
  HEADWISE_UNROLL
  for (int i = 0; i < 8; ++i) p[i] = static_cast<std::int8_t>(lanes[i]);
#endif
}

// Rows of a register tile of `rows x 8`. With a fused multiply-add 12 accumulators, 2 columns and
// 1 row value fill the 15 registers V8 gives; without it the product needs registers of its own.
#if defined(HEADWISE_BUILD_RELAXED)
inline constexpr int kTileRows = 6;
#else
inline constexpr int kTileRows = 4;
#endif

}  // namespace headwise::simd
