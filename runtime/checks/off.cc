// A program that links this checks no operands: what is misplaced fails in the kernel, as an
// illegal memory access.
#include "runtime/tensor/op_row.h"

namespace placecheck::runtime {

const OpChecks* const kOpChecks = nullptr;

}  // namespace placecheck::runtime
