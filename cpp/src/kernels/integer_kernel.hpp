// Which of the two kernels of int8 weights this processor runs faster (integer_tile.hpp). Results
// do not depend on it.
#pragma once

namespace headwise::kernels {

enum class IntegerKernel { kPairs, kQuads };

constexpr IntegerKernel kernel_of(bool quads) {
  return quads ? IntegerKernel::kQuads : IntegerKernel::kPairs;
}

// Whether the build has the kernel of quads, and the engine an instruction that it can rely on.
bool has_quad_kernel();

// Found out the first time it is asked for, where there are both: by the instruction that the
// engine has, or by trials of some milliseconds.
IntegerKernel integer_kernel();

// For layers made from now on, in place of the trial.
void set_integer_kernel(IntegerKernel kernel);

}  // namespace headwise::kernels
