// torch::cuda's scatter, gather and broadcast between the devices of one process, as
// torch/csrc/cuda/comm.cpp and nccl.cpp of libtorch_cuda have them. Texts are those of comm.cpp;
// copies go through Tensor::to and copy_, which know the virtual devices.
#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/torch/virtual_cuda/devices.h"

namespace torch::cuda {
namespace {

using Tensors = std::vector<at::Tensor>;
using Streams = std::optional<std::vector<std::optional<c10::cuda::CUDAStream>>>;

at::Device cuda_device(std::int64_t index) {
  return {at::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

void check_outputs_are_cuda(const Tensors& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    TORCH_CHECK(outputs[i].is_cuda(),
                "Expected all output tensors to be CUDA tensors, but output tensor at index ", i,
                " has device '", outputs[i].device(), "'");
  }
}

// The sizes of the inputs' concatenation; `dim` is wrapped.
std::vector<std::int64_t> gathered_sizes(at::TensorList tensors, std::int64_t& dim) {
  TORCH_CHECK(!tensors.empty(), "Expected at least one tensor to gather from");
  const at::Tensor& first = tensors.front();
  dim = at::maybe_wrap_dim(dim, first);
  std::vector<std::int64_t> expected = first.sizes().vec();
  std::int64_t total = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const at::Tensor& tensor = tensors[i];
    TORCH_CHECK(tensor.is_cuda(),
                "Expected all input tensors to be CUDA tensors, but tensor at index ", i,
                " has device ", tensor.device());
    TORCH_CHECK(tensor.dim() == first.dim(),
                "Expected all input tensors to have the same number of dimensions, but ",
                "tensor at index ", i, "has ", tensor.dim(), " dimensions, (expected ", first.dim(),
                ")");
    expected[static_cast<std::size_t>(dim)] = tensor.size(dim);
    TORCH_CHECK(tensor.sizes() == at::IntArrayRef(expected), "Input tensor at index ", i,
                " has invalid shape ", tensor.sizes(), ", but expected ",
                at::IntArrayRef(expected));
    total += tensor.size(dim);
  }
  expected[static_cast<std::size_t>(dim)] = total;
  return expected;
}

void copy_parts(at::TensorList parts, std::int64_t dim, at::Tensor& whole) {
  std::int64_t start = 0;
  for (const at::Tensor& part : parts) {
    whole.narrow(dim, start, part.size(dim)).copy_(part, /*non_blocking=*/true);
    start += part.size(dim);
  }
}

bool are_channels_last(at::TensorList tensors) {
  return std::ranges::all_of(tensors, [](const at::Tensor& tensor) {
    return tensor.suggest_memory_format() == at::MemoryFormat::ChannelsLast;
  });
}

std::vector<std::int64_t> chunk_sizes_of(const at::Tensor& tensor, const Tensors& outputs,
                                         std::int64_t dim) {
  std::vector<std::int64_t> sizes;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::vector<std::int64_t> shape = outputs[i].sizes().vec();
    bool fits = outputs[i].dim() == tensor.dim();
    if (fits) {
      sizes.push_back(outputs[i].size(dim));
      total += sizes.back();
      shape[static_cast<std::size_t>(dim)] = tensor.size(dim);
      fits = tensor.sizes() == at::IntArrayRef(shape);
    }
    TORCH_CHECK(fits, "Output tensor at index ", i, " has incorrect shape: ", outputs[i].sizes(),
                ". Expected same shape except for scatter dim ", dim,
                " as the source tensor: ", tensor.sizes());
  }
  TORCH_CHECK(total == tensor.size(dim), "Total size for output tensors along scatter dim ", dim,
              " does not match the source tensor size at dim ", dim, ". Expected ",
              tensor.size(dim), ", but got total size ", total);
  return sizes;
}

}  // namespace

Tensors& broadcast_out(const at::Tensor& tensor, Tensors& outputs) {
  check_outputs_are_cuda(outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    TORCH_CHECK(outputs[i].sizes() == tensor.sizes(),
                "Expected all output tensors to have same shape as the source tensor ",
                tensor.sizes(), ", but output tensor at index ", i, " has shape ",
                outputs[i].sizes());
  }
  for (at::Tensor& output : outputs) output.copy_(tensor, /*non_blocking=*/true);
  return outputs;
}

Tensors broadcast(const at::Tensor& tensor, at::IntArrayRef devices) {
  Tensors copies;
  copies.reserve(devices.size());
  for (const std::int64_t index : devices) {
    TORCH_CHECK(index >= 0, "Expected non-negative device index, but got ", index);
    const bool is_there = tensor.device() == cuda_device(index);
    copies.push_back(is_there ? tensor
                              : tensor.to(cuda_device(index), tensor.scalar_type(),
                                          /*non_blocking=*/true, /*copy=*/true));
  }
  return copies;
}

// Buckets of `buffer_size` bytes make one transfer of many on GPUs; copies here are cheap one by
// one.
std::vector<Tensors> broadcast_coalesced(at::TensorList tensors, at::IntArrayRef devices,
                                         std::size_t /*buffer_size*/) {
  TORCH_CHECK(std::ranges::all_of(tensors,
                                  [&](const at::Tensor& tensor) {
                                    return tensor.is_cuda() && tensor.get_device() == devices[0];
                                  }),
              "All tensors must be on devices[0]: ", devices[0]);
  std::vector<Tensors> outputs = {tensors.vec()};
  for (const std::int64_t index : devices.slice(1)) {
    Tensors& copies = outputs.emplace_back();
    for (const at::Tensor& tensor : tensors) {
      // Not part of the graph and with a version counter of its own, as the original has it.
      copies.push_back(tensor.detach().to(cuda_device(index), tensor.scalar_type(),
                                          /*non_blocking=*/true, /*copy=*/true));
    }
  }
  return outputs;
}

Tensors& scatter_out(const at::Tensor& tensor, Tensors& outputs, std::int64_t dim,
                     const Streams& /*streams*/) {
  TORCH_CHECK(!outputs.empty(), "Expected at least one output tensor to scatter to");
  dim = at::maybe_wrap_dim(dim, tensor);
  check_outputs_are_cuda(outputs);
  const Tensors chunks = tensor.split_with_sizes(chunk_sizes_of(tensor, outputs, dim), dim);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    outputs[i].copy_(chunks[i], /*non_blocking=*/true);
  }
  return outputs;
}

Tensors scatter(const at::Tensor& tensor, at::IntArrayRef devices,
                const std::optional<std::vector<std::int64_t>>& chunk_sizes, std::int64_t dim,
                const Streams& /*streams*/) {
  TORCH_CHECK(!devices.empty(), "Expected at least one device to scatter to");
  if (chunk_sizes) {
    TORCH_CHECK(chunk_sizes->size() == devices.size(),
                "Expected devices and chunk_sizes to be of same length, but got len(devices) = ",
                devices.size(), " and len(chunk_sizes) = ", chunk_sizes->size());
  }
  dim = at::maybe_wrap_dim(dim, tensor);
  Tensors chunks = chunk_sizes ? tensor.split_with_sizes(*chunk_sizes, dim)
                               : tensor.chunk(static_cast<std::int64_t>(devices.size()), dim);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i] = chunks[i].to(at::TensorOptions(cuda_device(devices[i])), /*non_blocking=*/true,
                             /*copy=*/false, at::MemoryFormat::Preserve);
  }
  return chunks;
}

at::Tensor& gather_out(at::TensorList tensors, at::Tensor& output, std::int64_t dim) {
  const std::vector<std::int64_t> sizes = gathered_sizes(tensors, dim);
  TORCH_CHECK(output.sizes() == at::IntArrayRef(sizes), "Expected out tensor to have shape ",
              at::IntArrayRef(sizes), ", but got ", output.sizes());
  copy_parts(tensors, dim, output);
  return output;
}

// No destination means the current device, and -1 the CPU.
at::Tensor gather(at::TensorList tensors, std::int64_t dim,
                  std::optional<std::int32_t> destination) {
  const std::vector<std::int64_t> sizes = gathered_sizes(tensors, dim);
  at::Device device(at::kCPU);
  if (!destination) device = cuda_device(placecheck::virtual_cuda::current_device());
  if (destination && *destination != -1) device = cuda_device(*destination);
  at::Tensor output = at::empty(
      sizes, tensors.front().options().device(device),
      are_channels_last(tensors) ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous);
  copy_parts(tensors, dim, output);
  return output;
}

}  // namespace torch::cuda
