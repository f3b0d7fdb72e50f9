// Which of the two kernels of int8 weights this processor runs faster (integer_tile.hpp). Results
// do not depend on it.
#pragma once

namespace headwise::kernels {

enum class IntegerKernel { kPairs, kQuads };

// Found out by a trial of a fraction of a millisecond the first time it is asked for, on builds
// that have both.
IntegerKernel integer_kernel();

// For layers made from now on, in place of the trial.
void set_integer_kernel(IntegerKernel kernel);

}  // namespace headwise::kernels
