// The two functions of autograd that CPU builds of libtorch lack and torch/nn/parallel/
// data_parallel.h needs; they do and say what torch/csrc/autograd/functions/comm.cpp does.
#ifndef PLACECHECK_NO_CUDA_TOOLKIT
#define PLACECHECK_NO_CUDA_TOOLKIT
#endif
#include <ATen/core/LegacyTypeDispatch.h>
#include <dlfcn.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "runtime/torch/graph_node.h"
#include "runtime/torch/include/torch/csrc/autograd/functions/comm.h"

namespace torch::autograd {
namespace {

// torch::cuda::scatter: fewer chunks than devices leave the last devices out.
variable_list scatter(const at::Tensor& input, const Scatter& function) {
  at::AutoDispatchBelowAutograd guard;
  variable_list chunks =
      function.chunk_sizes_
          ? input.split_with_sizes(*function.chunk_sizes_, function.dim_)
          : input.chunk(static_cast<std::int64_t>(function.devices_.size()), function.dim_);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i] = chunks[i].to(function.devices_[i]);
    if (function.unsqueeze_scalars_) chunks[i] = chunks[i][0];
  }
  return chunks;
}

at::Tensor gather(const variable_list& inputs, const Gather& function, bool unsqueeze_scalars) {
  at::AutoDispatchBelowAutograd guard;
  variable_list parts;
  for (const at::Tensor& input : inputs) {
    at::Tensor part = input.to(function.destination_device_);
    parts.push_back(unsqueeze_scalars ? part.view(1) : part);
  }
  return at::cat(parts, function.dim_);
}

// A CUDA build has these functions, and this library, preloaded, stands before it: then the work is
// left to them. A member function is called as a free one whose first argument is the object.
template <class Function>
using Apply = variable_list (*)(Function* self, variable_list&& inputs);

template <class Function>
Apply<Function> find_real(const char* name) {
  return reinterpret_cast<Apply<Function>>(dlsym(RTLD_NEXT, name));
}

}  // namespace

Scatter::Scatter(std::vector<at::Device> devices, ChunkSizesArgument chunk_sizes, std::int64_t dim,
                 ScatterStreamsArgument streams, bool unsqueeze_scalars)
    : devices_(std::move(devices)),
      chunk_sizes_(chunk_sizes),
      dim_(dim),
      streams_(streams),
      unsqueeze_scalars_(unsqueeze_scalars) {}

Scatter::~Scatter() = default;

variable_list Scatter::apply(variable_list&& inputs) {
  static const auto kReal =
      find_real<Scatter>("_ZN5torch8autograd7Scatter5applyEOSt6vectorIN2at6TensorESaIS4_EE");
  if (kReal != nullptr) return kReal(this, std::move(inputs));
  const at::Tensor input = std::move(inputs.at(0));
  placecheck::NodePointer history;
  if (compute_requires_grad(input)) {
    history = placecheck::make_node<Gather>(input.device(), dim_);
    history->set_next_edges(collect_next_edges(input));
  }
  variable_list chunks = scatter(input, *this);
  if (history) set_history(chunks, history);
  return chunks;
}

Gather::Gather(const at::Device& destination_device, std::int64_t dim)
    : destination_device_(destination_device), dim_(dim) {}

Gather::~Gather() = default;

variable_list Gather::apply(variable_list&& inputs) {
  static const auto kReal =
      find_real<Gather>("_ZN5torch8autograd6Gather5applyEOSt6vectorIN2at6TensorESaIS4_EE");
  if (kReal != nullptr) return kReal(this, std::move(inputs));
  for (const at::Tensor& input : inputs) {
    TORCH_CHECK(input.is_cuda(), "All inputs to Gather must be CUDA tensors, got ",
                input.toString());
  }
  const bool all_are_scalars =
      std::ranges::all_of(inputs, [](const at::Tensor& input) { return input.dim() == 0; });
  const bool unsqueeze_scalars = all_are_scalars && dim_ == 0;
  if (unsqueeze_scalars) {
    TORCH_WARN(
        "Was asked to gather along dimension 0, but all input tensors were scalars; will instead "
        "unsqueeze and return a vector.");
  }
  placecheck::NodePointer history;
  if (compute_requires_grad(inputs)) {
    std::vector<at::Device> devices;
    std::vector<std::int64_t> sizes;
    for (const at::Tensor& input : inputs) {
      devices.push_back(input.device());
      sizes.push_back(input.size(dim_));
    }
    history = placecheck::make_node<Scatter>(std::move(devices), sizes, dim_, c10::nullopt,
                                             unsqueeze_scalars);
    history->set_next_edges(collect_next_edges(inputs));
  }
  variable_list output = {gather(inputs, *this, unsqueeze_scalars)};
  if (history) set_history(output, history);
  return output;
}

}  // namespace torch::autograd
