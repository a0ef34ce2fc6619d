// Scatter, gather and broadcast between the devices of one process, and NCCL's collectives in one
// process: torch/csrc/cuda/comm.cpp and nccl.cpp of CUDA builds, without streams and communicators,
// of which virtual devices have none. Copies go through Tensor::to and copy_.
//
// Outputs are written in place. Errors: c10::Error with PyTorch's texts. Thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_PYTHON_COMMUNICATION_H_
#define PLACECHECK_RUNTIME_TORCH_PYTHON_COMMUNICATION_H_

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace placecheck::communication {

using Tensors = std::vector<at::Tensor>;

Tensors broadcast(const at::Tensor& tensor, at::IntArrayRef devices);
void broadcast_out(const at::Tensor& tensor, at::TensorList outputs);
// For each device a copy of all tensors, which are on the first.
std::vector<Tensors> broadcast_coalesced(at::TensorList tensors, at::IntArrayRef devices);

// Without sizes, equal chunks: fewer than there are devices leave the last ones out.
Tensors scatter(const at::Tensor& tensor, at::IntArrayRef devices,
                std::optional<at::IntArrayRef> chunk_sizes, std::int64_t dim);
void scatter_out(const at::Tensor& tensor, at::TensorList outputs, std::int64_t dim);

// No destination means the current device, and -1 the CPU.
at::Tensor gather(at::TensorList tensors, std::int64_t dim,
                  std::optional<std::int64_t> destination);
void gather_out(at::TensorList tensors, const at::Tensor& output, std::int64_t dim);

// `reduction` is an ncclRedOp_t.
void nccl_broadcast(at::TensorList tensors, std::int64_t root);
void nccl_all_reduce(at::TensorList inputs, at::TensorList outputs, std::int64_t reduction);
void nccl_reduce(at::TensorList inputs, const at::Tensor& output, std::int64_t reduction);
void nccl_all_gather(at::TensorList inputs, at::TensorList outputs);
void nccl_reduce_scatter(at::TensorList inputs, at::TensorList outputs, std::int64_t reduction);

}  // namespace placecheck::communication

#endif  // PLACECHECK_RUNTIME_TORCH_PYTHON_COMMUNICATION_H_
