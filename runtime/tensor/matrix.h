// Matrix products over tensors that own their result already. For operations, not for programs.
#ifndef PLACECHECK_RUNTIME_TENSOR_MATRIX_H_
#define PLACECHECK_RUNTIME_TENSOR_MATRIX_H_

#include "runtime/tensor/tensor.h"

namespace placecheck::runtime {

// out = a b + beta * out. Two-dimensional, of one type, but for a product of halves, which may be
// of floats; `out` is dense; transposed views are read as they are. Outside of the graph.
void multiply_into(const Tensor& out, const Tensor& a, const Tensor& b, double beta = 0);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_TENSOR_MATRIX_H_
