#include "runtime/torch/replicas.h"

#include <ATen/ThreadLocalState.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "rules/device_mismatch.h"
#include "runtime/core/rethrow.h"
#include "runtime/torch/graph_node.h"
#include "runtime/torch/virtual_cuda/rule_error.h"

namespace placecheck::parallel {
namespace {

using torch::autograd::variable_list;
using Parameters = std::vector<torch::Tensor>;

// Carries the gradients of the replicas' parameters, replica by replica, to those of the module.
// Unlike libtorch's ReduceAdd it takes replicas that did not use a parameter.
struct SumOverReplicas : torch::autograd::Node {
  SumOverReplicas(const Parameters& originals, const Compat& compat) : compat_(compat) {
    for (const torch::Tensor& original : originals) {
      sizes_.push_back(original.sizes().vec());
      options_.push_back(original.options());
    }
  }

  variable_list apply(variable_list&& gradients) override {
    variable_list sums(sizes_.size());
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (!gradients[i].defined()) continue;
      const std::size_t at = i % sums.size();
      const torch::Tensor moved = gradients[i].to(options_[at].device());
      sums[at] = sums[at].defined() ? sums[at] + moved : moved;
    }
    for (std::size_t at = 0; compat_.strict_compat && at < sums.size(); ++at) {
      if (!sums[at].defined()) sums[at] = torch::zeros(sizes_[at], options_[at]);
    }
    return sums;
  }

 private:
  Compat compat_;
  std::vector<std::vector<std::int64_t>> sizes_;
  std::vector<torch::TensorOptions> options_;
};

// Makes the replicas' parameters results of the original ones; those that have no gradient are none
// of the replicas' either, which libtorch's clone() forgets.
void connect(const Parameters& originals, std::vector<Parameters>& replicas, const Compat& compat) {
  const bool is_recorded = torch::GradMode::is_enabled();
  Parameters recorded;
  for (const torch::Tensor& original : originals) {
    if (is_recorded && original.requires_grad()) recorded.push_back(original);
  }
  NodePointer history;
  if (!recorded.empty()) {
    history = make_node<SumOverReplicas>(recorded, compat);
    history->set_next_edges(torch::autograd::collect_next_edges(recorded));
  }
  for (Parameters& replica : replicas) {
    for (std::size_t i = 0; i < originals.size(); ++i) {
      if (is_recorded && originals[i].requires_grad()) {
        torch::autograd::set_history(replica[i], history);
      } else {
        replica[i].set_requires_grad(false);
      }
    }
  }
}

// So that what the first replica writes in place, such as running statistics, stays.
void share_memory(const torch::nn::Module& module, const torch::nn::Module& replica) {
  const torch::NoGradGuard no_grad;
  const auto share = [](const Parameters& from, const Parameters& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i].defined()) to[i].set_data(from[i].detach());
    }
  };
  share(module.parameters(), replica.parameters());
  share(module.buffers(), replica.buffers());
}

template <typename Kind>
[[noreturn]] void throw_c10(const std::string& text) {
  throw Kind({__func__, __FILE__, static_cast<std::uint32_t>(__LINE__)}, text);
}

// The errors of libtorch; those of the standard library are rethrow_from()'s.
[[noreturn]] void rethrow(const std::exception_ptr& error, const std::string& where) {
  const auto text = [&](const char* kind, const c10::Error& original) {
    return runtime::caught_text(kind, where, original.what_without_backtrace());
  };
  try {
    std::rethrow_exception(error);
  } catch (const virtual_cuda::RuleError& original) {
    throw virtual_cuda::RuleError(original.rule(), text("RuntimeError", original));
  } catch (const c10::IndexError& original) {
    throw_c10<c10::IndexError>(text("IndexError", original));
  } catch (const c10::ValueError& original) {
    throw_c10<c10::ValueError>(text("ValueError", original));
  } catch (const c10::TypeError& original) {
    throw_c10<c10::TypeError>(text("TypeError", original));
  } catch (const c10::NotImplementedError& original) {
    throw_c10<c10::NotImplementedError>(text("NotImplementedError", original));
  } catch (const c10::OutOfMemoryError& original) {
    throw_c10<c10::OutOfMemoryError>(text("OutOfMemoryError", original));
  } catch (const c10::Error& original) {
    throw_c10<c10::Error>(text("RuntimeError", original));
  } catch (...) {
    runtime::rethrow_from(error, where);
  }
}

}  // namespace

void refuse(PythonError kind, const std::string& text) {
  switch (kind) {
    case PythonError::kKey:
      throw_c10<c10::IndexError>(text);
    case PythonError::kType:
      throw_c10<c10::TypeError>(text);
    case PythonError::kValue:
      break;
  }
  throw_c10<c10::ValueError>(text);
}

std::vector<torch::Tensor> Scattering::scatter(const torch::Tensor& tensor) const {
  std::vector<torch::Tensor> chunks = tensor.chunk(static_cast<std::int64_t>(devices.size()), dim);
  for (std::size_t i = 0; i < chunks.size(); ++i) chunks[i] = chunks[i].to(devices[i]);
  return chunks;
}

torch::Tensor Gathering::gather(const std::vector<torch::Tensor>& outputs) const {
  for (const torch::Tensor& output : outputs) {
    TORCH_CHECK(output.is_cuda(), rules::device_mismatch::kGatherMessage);
  }
  const bool are_scalars = dim == 0 && std::ranges::all_of(outputs, [](const torch::Tensor& each) {
                             return each.dim() == 0;
                           });
  if (are_scalars) {
    TORCH_WARN(
        "Was asked to gather along dimension 0, but all input tensors were scalars; will instead "
        "unsqueeze and return a vector.");
  }
  std::vector<torch::Tensor> parts;
  std::vector<std::int64_t> expected = outputs[0].sizes().vec();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const torch::Tensor& output = outputs[i];
    TORCH_CHECK(output.dim() == outputs[0].dim(),
                "Expected all input tensors to have the same number of dimensions, but tensor at "
                "index ",
                i, "has ", output.dim(), " dimensions, (expected ", outputs[0].dim(), ")");
    if (!are_scalars) {
      const std::int64_t along = dim < 0 ? dim + output.dim() : dim;
      expected[static_cast<std::size_t>(along)] = output.size(along);
    }
    TORCH_CHECK(output.sizes() == at::IntArrayRef(expected), "Input tensor at index ", i,
                " has invalid shape ", output.sizes(), ", but expected ",
                at::IntArrayRef(expected));
    const torch::Tensor part = output.to(destination, outputs[0].scalar_type());
    parts.push_back(are_scalars ? part.view(1) : part);
  }
  return torch::cat(parts, dim);
}

std::vector<torch::nn::AnyModule> replicate(const torch::nn::AnyModule& module,
                                            const std::vector<torch::Device>& devices,
                                            const Compat& compat) {
  std::vector<torch::nn::AnyModule> replicas;
  std::vector<Parameters> parameters;
  for (const torch::Device device : devices) {
    replicas.push_back(module.clone(device));
    parameters.push_back(replicas.back().ptr()->parameters());
  }
  share_memory(*module.ptr(), *replicas.front().ptr());
  connect(module.ptr()->parameters(), parameters, compat);
  return replicas;
}

void run_on_devices(ReplicaThreads& threads, const std::vector<torch::Device>& devices,
                    const std::function<void(std::size_t)>& call) {
  TORCH_CHECK(!threads.is_nested(), ReplicaThreads::kNested);
  const at::ThreadLocalState modes;
  const c10::impl::VirtualGuardImpl cuda(torch::kCUDA);
  std::vector<c10::Stream> streams;
  for (const torch::Device device : devices) streams.push_back(cuda.getStream(device));
  const std::vector<std::exception_ptr> errors = threads.run(devices.size(), [&](std::size_t i) {
    const at::ThreadLocalStateGuard in_modes(modes);
    const c10::StreamGuard stream(streams[i]);
    call(i);
  });
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (!errors[i]) continue;
    rethrow(errors[i], runtime::text_of("in replica ", i, " on device ",
                                        static_cast<int>(devices[i].index())));
  }
}

}  // namespace placecheck::parallel
