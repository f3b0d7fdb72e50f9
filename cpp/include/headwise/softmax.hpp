// Softmax over rows that stand in memory. The attention op has its own online form and does not
// come here.
#pragma once

#include "headwise/tensor.hpp"

namespace headwise {

// y = exp(x - max) / sum over each row; x, y [N, D], rows strided, innermost strides 1; y may be x.
// -inf gives exactly 0; a row of nothing but -inf gives zeros; NaN in a row gives NaN in the row.
void softmax(const Tensor<const float, 2>& x, const Tensor<float, 2>& y);

}  // namespace headwise
