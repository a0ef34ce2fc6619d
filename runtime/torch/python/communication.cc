#include "runtime/torch/python/communication.h"

#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>

#include "runtime/torch/virtual_cuda/devices.h"

namespace placecheck::communication {
namespace {

at::Device cuda_device(std::int64_t index) {
  return {at::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

void copy_to(const at::Tensor& output, const at::Tensor& source) {
  output.copy_(source, /*non_blocking=*/true);
}

void check_outputs_are_cuda(at::TensorList outputs) {
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
  dim = at::maybe_wrap_dim(dim, first.dim());
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

void copy_parts(at::TensorList parts, std::int64_t dim, const at::Tensor& whole) {
  std::int64_t start = 0;
  for (const at::Tensor& part : parts) {
    copy_to(whole.narrow(dim, start, part.size(dim)), part);
    start += part.size(dim);
  }
}

at::MemoryFormat format_of_gathered(at::TensorList tensors) {
  const bool are_channels_last = std::ranges::all_of(tensors, [](const at::Tensor& tensor) {
    return tensor.suggest_memory_format() == at::MemoryFormat::ChannelsLast;
  });
  return are_channels_last ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
}

// The outputs' sizes along `dim`.
std::vector<std::int64_t> chunk_sizes_of(const at::Tensor& tensor, at::TensorList outputs,
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

// ncclRedOp_t.
enum Reduction : std::int64_t { kSum = 0, kProd = 1, kMax = 2, kMin = 3, kAvg = 4 };

at::Tensor combine(const at::Tensor& a, const at::Tensor& b, std::int64_t reduction) {
  switch (reduction) {
    case kSum:
    case kAvg:
      return a + b;
    case kProd:
      return a * b;
    case kMax:
      return at::maximum(a, b);
    case kMin:
      return at::minimum(a, b);
    default:
      TORCH_CHECK(false, "NCCL Error 4: invalid argument");
  }
}

// The texts of torch/csrc/cuda/nccl.cpp: check_tensor and check_inputs.
void check_inputs(at::TensorList inputs) {
  TORCH_CHECK(!inputs.empty(), "input sequence can't be empty");
  std::vector<c10::DeviceIndex> devices;
  for (const at::Tensor& input : inputs) {
    TORCH_CHECK(input.is_cuda() && !input.is_sparse(),
                "input and output elements have to be cuda dense Tensors");
    TORCH_CHECK(input.scalar_type() == inputs.front().scalar_type(),
                "all inputs and outputs must be of the same Tensor type");
    TORCH_CHECK(input.is_contiguous(), "all inputs and outputs must be contiguous");
    TORCH_CHECK(std::ranges::find(devices, input.get_device()) == devices.end(),
                "inputs must be on unique devices");
    devices.push_back(static_cast<c10::DeviceIndex>(input.get_device()));
  }
}

void check_outputs(at::TensorList inputs, at::TensorList outputs, std::int64_t input_multiplier,
                   std::int64_t output_multiplier) {
  TORCH_CHECK(inputs.size() == outputs.size(), "number of inputs and outputs don't match");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    TORCH_CHECK(outputs[i].is_cuda() && !outputs[i].is_sparse(),
                "input and output elements have to be cuda dense Tensors");
    TORCH_CHECK(outputs[i].get_device() == inputs[i].get_device(),
                "input and output must be on the same device");
    TORCH_CHECK(outputs[i].numel() * output_multiplier == inputs[i].numel() * input_multiplier,
                "input and output of incompatible sizes");
  }
}

at::Tensor reduced(at::TensorList inputs, std::int64_t reduction, at::Device device) {
  at::Tensor total = inputs.front().to(device, /*non_blocking=*/false, /*copy=*/true);
  for (const at::Tensor& input : inputs.slice(1)) {
    total = combine(total, input.to(device), reduction);
  }
  if (reduction == kAvg) total.div_(static_cast<std::int64_t>(inputs.size()));
  return total;
}

}  // namespace

void broadcast_out(const at::Tensor& tensor, at::TensorList outputs) {
  check_outputs_are_cuda(outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    TORCH_CHECK(outputs[i].sizes() == tensor.sizes(),
                "Expected all output tensors to have same shape as the source tensor ",
                tensor.sizes(), ", but output tensor at index ", i, " has shape ",
                outputs[i].sizes());
  }
  for (const at::Tensor& output : outputs) copy_to(output, tensor);
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

// On GPUs buckets make one transfer of many; copies here are cheap one by one.
std::vector<Tensors> broadcast_coalesced(at::TensorList tensors, at::IntArrayRef devices) {
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

void scatter_out(const at::Tensor& tensor, at::TensorList outputs, std::int64_t dim) {
  TORCH_CHECK(!outputs.empty(), "Expected at least one output tensor to scatter to");
  dim = at::maybe_wrap_dim(dim, tensor.dim());
  check_outputs_are_cuda(outputs);
  const Tensors chunks = tensor.split_with_sizes(chunk_sizes_of(tensor, outputs, dim), dim);
  for (std::size_t i = 0; i < chunks.size(); ++i) copy_to(outputs[i], chunks[i]);
}

Tensors scatter(const at::Tensor& tensor, at::IntArrayRef devices,
                std::optional<at::IntArrayRef> chunk_sizes, std::int64_t dim) {
  TORCH_CHECK(!devices.empty(), "Expected at least one device to scatter to");
  if (chunk_sizes) {
    TORCH_CHECK(chunk_sizes->size() == devices.size(),
                "Expected devices and chunk_sizes to be of same length, but got len(devices) = ",
                devices.size(), " and len(chunk_sizes) = ", chunk_sizes->size());
  }
  dim = at::maybe_wrap_dim(dim, tensor.dim());
  Tensors chunks = chunk_sizes ? tensor.split_with_sizes(*chunk_sizes, dim)
                               : tensor.chunk(static_cast<std::int64_t>(devices.size()), dim);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i] = chunks[i].to(at::TensorOptions(cuda_device(devices[i])), /*non_blocking=*/true,
                             /*copy=*/false, at::MemoryFormat::Preserve);
  }
  return chunks;
}

void gather_out(at::TensorList tensors, const at::Tensor& output, std::int64_t dim) {
  const std::vector<std::int64_t> sizes = gathered_sizes(tensors, dim);
  TORCH_CHECK(output.sizes() == at::IntArrayRef(sizes), "Expected out tensor to have shape ",
              at::IntArrayRef(sizes), ", but got ", output.sizes());
  copy_parts(tensors, dim, output);
}

at::Tensor gather(at::TensorList tensors, std::int64_t dim,
                  std::optional<std::int64_t> destination) {
  const std::vector<std::int64_t> sizes = gathered_sizes(tensors, dim);
  at::Device device(at::kCPU);
  if (!destination) device = cuda_device(virtual_cuda::current_device());
  if (destination && *destination != -1) device = cuda_device(*destination);
  at::Tensor output =
      at::empty(sizes, tensors.front().options().device(device), format_of_gathered(tensors));
  copy_parts(tensors, dim, output);
  return output;
}

void nccl_broadcast(at::TensorList tensors, std::int64_t root) {
  check_inputs(tensors);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i == static_cast<std::size_t>(root)) continue;
    copy_to(tensors[i], tensors.at(static_cast<std::size_t>(root)));
  }
}

void nccl_all_reduce(at::TensorList inputs, at::TensorList outputs, std::int64_t reduction) {
  check_inputs(inputs);
  check_outputs(inputs, outputs, 1, 1);
  const at::Tensor total = reduced(inputs, reduction, inputs.front().device());
  for (const at::Tensor& output : outputs) copy_to(output, total);
}

void nccl_reduce(at::TensorList inputs, const at::Tensor& output, std::int64_t reduction) {
  check_inputs(inputs);
  copy_to(output, reduced(inputs, reduction, output.device()));
}

void nccl_all_gather(at::TensorList inputs, at::TensorList outputs) {
  check_inputs(inputs);
  check_outputs(inputs, outputs, static_cast<std::int64_t>(inputs.size()), 1);
  for (const at::Tensor& output : outputs) {
    Tensors parts;
    for (const at::Tensor& input : inputs) parts.push_back(input.flatten().to(output.device()));
    copy_to(output, at::cat(parts).view_as(output));
  }
}

void nccl_reduce_scatter(at::TensorList inputs, at::TensorList outputs, std::int64_t reduction) {
  check_inputs(inputs);
  check_outputs(inputs, outputs, 1, static_cast<std::int64_t>(inputs.size()));
  const at::Tensor total = reduced(inputs, reduction, inputs.front().device());
  const Tensors parts = total.flatten().chunk(static_cast<std::int64_t>(outputs.size()));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    copy_to(outputs[i], parts.at(i).view_as(outputs[i]));
  }
}

}  // namespace placecheck::communication
