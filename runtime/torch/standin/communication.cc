// torch::cuda's scatter, gather and broadcast, and torch::cuda::nccl, by the names that
// libtorch_cuda exports: for the work see runtime/torch/python/communication.h. Streams and
// communicators are taken and not looked at.
#include "runtime/torch/python/communication.h"

#include <ATen/core/Tensor.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace torch::cuda {

namespace communication = placecheck::communication;
using Tensors = std::vector<at::Tensor>;
using ScatterStreams = std::optional<std::vector<std::optional<c10::cuda::CUDAStream>>>;

Tensors broadcast(const at::Tensor& tensor, at::IntArrayRef devices) {
  return communication::broadcast(tensor, devices);
}

Tensors& broadcast_out(const at::Tensor& tensor, Tensors& outputs) {
  communication::broadcast_out(tensor, outputs);
  return outputs;
}

std::vector<Tensors> broadcast_coalesced(at::TensorList tensors, at::IntArrayRef devices,
                                         std::size_t /*buffer_size*/) {
  return communication::broadcast_coalesced(tensors, devices);
}

Tensors scatter(const at::Tensor& tensor, at::IntArrayRef devices,
                const std::optional<std::vector<std::int64_t>>& chunk_sizes, std::int64_t dim,
                const ScatterStreams& /*streams*/) {
  std::optional<at::IntArrayRef> sizes;
  if (chunk_sizes) sizes = *chunk_sizes;
  return communication::scatter(tensor, devices, sizes, dim);
}

Tensors& scatter_out(const at::Tensor& tensor, Tensors& outputs, std::int64_t dim,
                     const ScatterStreams& /*streams*/) {
  communication::scatter_out(tensor, outputs, dim);
  return outputs;
}

at::Tensor gather(at::TensorList tensors, std::int64_t dim,
                  std::optional<std::int32_t> destination) {
  return communication::gather(tensors, dim, destination);
}

at::Tensor& gather_out(at::TensorList tensors, at::Tensor& output, std::int64_t dim) {
  communication::gather_out(tensors, output, dim);
  return output;
}

namespace nccl {

using Streams = std::vector<std::optional<c10::cuda::CUDAStream>>;
using Communicators = std::vector<void*>;

std::uint64_t version() { return (2ULL << 32) | (28ULL << 16) | 9ULL; }
const char* version_suffix() { return ""; }

// NCCL's, as torch/csrc/cuda/nccl.h has it.
struct ncclUniqueId {
  char internal[128];
};

// Any that no other has.
void get_unique_id(ncclUniqueId& id) {
  std::random_device random;
  for (char& byte : id.internal) byte = static_cast<char>(random());
}

void broadcast(at::TensorList tensors, std::int32_t root, const Streams& /*streams*/,
               const Communicators& /*communicators*/) {
  communication::nccl_broadcast(tensors, root);
}
// Releases before 2.8 have no root.
void broadcast(at::TensorList tensors, const Streams& /*streams*/,
               const Communicators& /*communicators*/) {
  communication::nccl_broadcast(tensors, 0);
}

void all_reduce(const Tensors& inputs, Tensors& outputs, std::int32_t reduction,
                const Streams& /*streams*/, const Communicators& /*communicators*/) {
  communication::nccl_all_reduce(inputs, outputs, reduction);
}

void reduce(const Tensors& inputs, at::Tensor& output, std::int32_t /*root*/,
            std::int32_t reduction, const Streams& /*streams*/,
            const Communicators& /*communicators*/) {
  communication::nccl_reduce(inputs, output, reduction);
}

void all_gather(const Tensors& inputs, Tensors& outputs, const Streams& /*streams*/,
                const Communicators& /*communicators*/) {
  communication::nccl_all_gather(inputs, outputs);
}

void reduce_scatter(const Tensors& inputs, Tensors& outputs, std::int32_t reduction,
                    const Streams& /*streams*/, const Communicators& /*communicators*/) {
  communication::nccl_reduce_scatter(inputs, outputs, reduction);
}

}  // namespace nccl

}  // namespace torch::cuda
