#include "kernels/activation.hpp"

namespace headwise::kernels {

const TailCoefficients kTailCoefficients = {
    .powers = {1.2293338613744709e-06F, -2.0201425286359154e-05F, 9.553135168971494e-05F,
               3.544798237271607e-04F, -7.345856167376041e-03F, 5.269130691885948e-02F,
               4.591428339481354e-01F, 1.1511136293411255F, 9.999998211860657e-01F},
    .end = 6.0F,
};

}  // namespace headwise::kernels
