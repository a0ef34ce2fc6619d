// The rows of all operations that combine tensors. A table: one row an operation.
#ifndef PLACECHECK_RUNTIME_TENSOR_OP_ROWS_H_
#define PLACECHECK_RUNTIME_TENSOR_OP_ROWS_H_

#include "runtime/tensor/op_row.h"

namespace placecheck::runtime::rows {

using enum rules::device_mismatch::Mixing;

// clang-format off
inline constexpr OpRow kAdd     {"add",     "wrapper_CUDA_add_Tensor", kCpuScalars, {"self", "other"}};
inline constexpr OpRow kSub     {"sub",     "wrapper_CUDA_sub_Tensor", kCpuScalars, {"self", "other"}};
inline constexpr OpRow kMul     {"mul",     "wrapper_CUDA_mul_Tensor", kCpuScalars, {"self", "other"}};
inline constexpr OpRow kDiv     {"div",     "wrapper_CUDA_div_Tensor", kCpuScalars, {"self", "other"}};
inline constexpr OpRow kEq      {"eq",      "wrapper_CUDA_eq_Tensor",  kCpuScalars, {"self", "other"}};
inline constexpr OpRow kMseLoss {"mse_loss", "wrapper_CUDA_mse_loss",  kCpuScalars, {"self", "target"}};
inline constexpr OpRow kMm      {"mm",      "wrapper_CUDA_mm",    kExact, {"self", "mat2"}};
inline constexpr OpRow kAddmm   {"addmm",   "wrapper_CUDA_addmm", kExact, {"self", "mat1", "mat2"}};
inline constexpr OpRow kCat     {"cat",     "wrapper_CUDA_cat",   kExact, {"tensors", "tensors", "tensors", "tensors", "tensors"}};
inline constexpr OpRow kIndexSelect {"index_select", "wrapper_CUDA__index_select", kExact, {"self", "index"}};
inline constexpr OpRow kNllLoss {"nll_loss", "wrapper_CUDA_nll_loss_forward", kExact, {"self", "target"}};
inline constexpr OpRow kEqual   {"equal",   "wrapper_CUDA__equal", kExact, {"self", "other"}};
inline constexpr OpRow kConvolution {"convolution", "wrapper_CUDA__cudnn_convolution", kExact, {"input", "weight"}};
inline constexpr OpRow kCudnnBatchNorm {"cudnn_batch_norm", "wrapper_CUDA__cudnn_batch_norm", kExact,
                                        {"input", "weight", "bias", "running_mean", "running_var"}};
inline constexpr OpRow kNativeBatchNorm {"native_batch_norm", "wrapper_CUDA__native_batch_norm", kExact,
                                         {"input", "weight", "bias", "running_mean", "running_var"}};
// What optimizers do to a parameter in place, by the names of the operations they are made of.
inline constexpr OpRow kOptimizerStep {"add_", "wrapper_CUDA_add__Tensor", kCpuScalars, {"self", "other", "state", "state"}};
// clang-format on

}  // namespace placecheck::runtime::rows

#endif  // PLACECHECK_RUNTIME_TENSOR_OP_ROWS_H_
