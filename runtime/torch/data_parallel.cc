#include "runtime/torch/data_parallel.h"

#include <ATen/ThreadLocalState.h>
#include <c10/core/DeviceGuard.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "runtime/torch/graph_node.h"

namespace placecheck::parallel {
namespace {

using torch::autograd::variable_list;

// Carries the gradients of a parameter's replicas to the parameter. Unlike libtorch's ReduceAdd it
// takes replicas that did not use the parameter, and leaves it without a gradient if none did.
struct ReplicaGradient : torch::autograd::Node {
  explicit ReplicaGradient(torch::Device device) : device_(device) {}

  variable_list apply(variable_list&& gradients) override {
    torch::Tensor sum;
    for (const torch::Tensor& gradient : gradients) {
      if (!gradient.defined()) continue;
      const torch::Tensor moved = gradient.to(device_);
      sum = sum.defined() ? sum + moved : moved;
    }
    return {sum};
  }

 private:
  torch::Device device_;
};

using Parameters = torch::OrderedDict<std::string, torch::Tensor>;

// Makes the replicas' parameters results of the original ones.
void connect(const Parameters& originals, std::vector<Parameters>& replicas) {
  for (const auto& original : originals) {
    if (!original.value().requires_grad()) continue;
    const NodePointer history = make_node<ReplicaGradient>(original.value().device());
    history->set_next_edges(torch::autograd::collect_next_edges(original.value()));
    for (Parameters& replica : replicas) {
      torch::autograd::set_history(replica[original.key()], history);
    }
  }
}

// The first is the module itself, so that what its forward writes, such as running statistics,
// stays.
std::vector<torch::nn::AnyModule> replicate(const torch::nn::AnyModule& module,
                                            const std::vector<torch::Device>& devices) {
  std::vector<torch::nn::AnyModule> replicas = {module};
  std::vector<Parameters> parameters;
  for (std::size_t i = 1; i < devices.size(); ++i) {
    replicas.push_back(module.clone(devices[i]));
    parameters.push_back(replicas.back().ptr()->named_parameters());
  }
  if (torch::GradMode::is_enabled()) connect(module.ptr()->named_parameters(), parameters);
  return replicas;
}

// One thread a replica, in the caller's modes (gradients, autocast). Of several errors that of the
// first replica is thrown.
std::vector<torch::Tensor> run_all(std::vector<torch::nn::AnyModule>& replicas,
                                   const std::vector<torch::Tensor>& inputs) {
  std::vector<torch::Tensor> outputs(inputs.size());
  std::vector<std::exception_ptr> errors(inputs.size());
  const at::ThreadLocalState modes;
  const auto run = [&](std::size_t i) {
    try {
      const at::ThreadLocalStateGuard in_modes(modes);
      const c10::DeviceGuard device(inputs[i].device());
      outputs[i] = replicas[i].forward<torch::Tensor>(inputs[i]);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < inputs.size(); ++i) threads.emplace_back(run, i);
  run(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return outputs;
}

std::vector<torch::Tensor> scatter(const torch::Tensor& input,
                                   const std::vector<torch::Device>& devices, std::int64_t dim) {
  std::vector<torch::Tensor> parts = input.chunk(static_cast<std::int64_t>(devices.size()), dim);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = parts[i].to(devices[i]);
  return parts;
}

torch::Tensor gather(std::vector<torch::Tensor> outputs, torch::Device device, std::int64_t dim) {
  const bool are_scalars = std::all_of(outputs.begin(), outputs.end(),
                                       [](const torch::Tensor& part) { return part.dim() == 0; });
  for (torch::Tensor& part : outputs) {
    part = part.to(device);
    if (are_scalars) part = part.view(1);
  }
  return torch::cat(outputs, are_scalars ? 0 : dim);
}

}  // namespace

torch::Tensor DataParallel::forward(torch::Tensor input) {
  if (device_ids_.empty()) return callable_.forward<torch::Tensor>(std::move(input));
  check_placement(*module_, device_ids_.front());
  std::vector<torch::Tensor> inputs = scatter(input, device_ids_, dim_);
  if (inputs.size() == 1) {
    return callable_.forward<torch::Tensor>(inputs.front()).to(*output_device_);
  }
  const std::vector<torch::Device> devices(
      device_ids_.begin(), device_ids_.begin() + static_cast<std::ptrdiff_t>(inputs.size()));
  std::vector<torch::nn::AnyModule> replicas = replicate(callable_, devices);
  return gather(run_all(replicas, inputs), *output_device_, dim_);
}

}  // namespace placecheck::parallel
