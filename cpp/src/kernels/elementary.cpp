#include "kernels/elementary.hpp"

namespace headwise::kernels {

const Exp2Coefficients kExp2Coefficients = {
    .magic = 12582912.0F,
    .fifth = 1.326472690e-3F,
    .fourth = 9.671512661e-3F,
    .third = 5.550733744e-2F,
    .second = 2.402224208e-1F,
    .first = 6.931469776e-1F,  // NOLINT(modernize-use-std-numbers): minimax, not ln 2
    .one = 1.0F,
    .lowest = -126.0F,
};

}  // namespace headwise::kernels
