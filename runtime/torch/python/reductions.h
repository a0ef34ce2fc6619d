// What NCCL computes when ranks reduce: sums and the like of their contributions, in the order of
// the ranks, so that each rank gets the same bits. Half and bfloat16 are computed in float; bools
// as NCCL does them (a sum is "or").
//
// Pure functions of CPU tensors. Errors: c10::Error in ProcessGroupNCCL's words.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_REDUCTIONS_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_REDUCTIONS_H_

#include "runtime/torch/python/has_process_groups.h"

#ifdef PLACECHECK_HAS_PROCESS_GROUPS

#include <ATen/core/Tensor.h>

#include <string>
#include <torch/csrc/distributed/c10d/Types.hpp>
#include <vector>

namespace placecheck::process_group {

// "SUM".
std::string reduction_name(const c10d::ReduceOp& reduction);

// Throws where NCCL has no such reduction of `dtype`.
void check_reduction(const c10d::ReduceOp& reduction, c10::ScalarType dtype);

// What a rank contributes: its tensor, or that times the factor of PREMUL_SUM.
at::Tensor contribution(const at::Tensor& tensor, const c10d::ReduceOp& reduction);

// Of tensors of one shape and dtype, one of each rank; new memory.
at::Tensor reduced(const std::vector<at::Tensor>& contributions, const c10d::ReduceOp& reduction);

}  // namespace placecheck::process_group

#endif  // PLACECHECK_HAS_PROCESS_GROUPS
#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_REDUCTIONS_H_
