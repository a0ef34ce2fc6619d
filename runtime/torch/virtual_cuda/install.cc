#include "runtime/torch/virtual_cuda/install.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <link.h>
#include <torch/library.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/devices/environment.h"
#include "runtime/torch/virtual_cuda/device_guard.h"
#include "runtime/torch/virtual_cuda/extension_operators.h"
#include "runtime/torch/virtual_cuda/hooks.h"
#include "runtime/torch/virtual_cuda/host_call.h"
#include "runtime/torch/virtual_cuda/kernels.h"
#include "runtime/torch/virtual_cuda/memory.h"
#include "runtime/torch/virtual_cuda/observers.h"
#include "runtime/torch/virtual_cuda/report.h"

namespace placecheck::virtual_cuda {
namespace {

using c10::DispatchKey;

// A library that is never given up: its registrations are those of the process.
torch::Library& new_library(const char* name, DispatchKey key) {
  static auto* libraries = new std::deque<torch::Library>;
  return libraries->emplace_back(torch::Library::IMPL, name, key, __FILE__, __LINE__);
}

// Composites that CUDA has kernels of its own for, under the same formulas of autograd as the CPU.
constexpr std::string_view kKernelsBesideComposites[] = {
    "aten::addr",
    "aten::mish_backward",
    "aten::native_group_norm",
    "aten::native_layer_norm",
};

// Those that add_*_kernels() brings.
constexpr std::string_view kOwnKernels[] = {
    "aten::_reshape_alias",
    "aten::as_strided",
    "aten::empty.memory_format",
    "aten::empty_strided",
    "aten::native_dropout",
    "aten::set_.source_Storage",
    "aten::set_.source_Storage_storage_offset",
    "aten::view",
};

bool is_left_to_host(const c10::OperatorHandle& op) {
  const std::string name = toString(op.operator_name());
  if (!name.starts_with("aten::") || !op.hasKernelForDispatchKey(DispatchKey::CPU)) return false;
  if (std::ranges::binary_search(kOwnKernels, name)) return false;
  if (op.hasKernelForDispatchKey(DispatchKey::CUDA)) return false;
  if (std::ranges::binary_search(kKernelsBesideComposites, name)) return true;
  return !op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) &&
         !op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd);
}

// The fallback alone would not do: structured operators have a generated kernel for every backend,
// which would call their `out` form and so report that one's name.
void add_host_calls(torch::Library& library) {
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op || !is_left_to_host(*op)) continue;
    library.impl(toString(name).c_str(),
                 torch::CppFunction::makeFromBoxedFunctor(std::make_unique<HostCall>(*op)));
  }
}

// Tensors that are not dense have kernels of their own beside composites, which would be taken
// first.
void add_host_calls_of(DispatchKey key, DispatchKey host_key, torch::Library& library) {
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    const bool is_ours = op && toString(name).starts_with("aten::") &&
                         op->hasKernelForDispatchKey(host_key) && !op->hasKernelForDispatchKey(key);
    if (!is_ours) continue;
    library.impl(toString(name).c_str(),
                 torch::CppFunction::makeFromBoxedFunctor(std::make_unique<HostCall>(*op, true)));
  }
}

void add_sparse_host_calls(DispatchKey key, DispatchKey host_key) {
  add_host_calls_of(key, host_key, new_library("aten", key));
  new_library("_", key).fallback(torch::CppFunction::makeFromBoxedFunction<&call_sparse_on_host>());
}

void add_nested_host_calls() {
  torch::Library& library = new_library("aten", DispatchKey::NestedTensorCUDA);
  add_nested_copies(library);
  add_host_calls_of(DispatchKey::NestedTensorCUDA, DispatchKey::NestedTensorCPU, library);
}

void refuse(const c10::OperatorHandle& op, torch::jit::Stack* /*stack*/) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "not supported on virtual GPUs: ", op.operator_name(),
                              " of quantized and nested tensors");
}

void add_refusals() {
  for (const DispatchKey key : {DispatchKey::QuantizedCUDA, DispatchKey::NestedTensorCUDA}) {
    new_library("_", key).fallback(torch::CppFunction::makeFromBoxedFunction<&refuse>());
  }
}

void add_kernels() {
  torch::Library& library = new_library("aten", DispatchKey::CUDA);
  add_memory_kernels(library);
  add_cuda_only_kernels(library);
  add_training_kernels(library);
  torch::Library& for_cpu = new_library("aten", DispatchKey::CPU);
  add_host_fused_kernels(for_cpu);
  add_transfer_kernels(for_cpu, library);
  add_convolution_kernels(library);
  add_product_kernels(library);
  add_softmax_kernels(library);
  add_host_calls(library);
  add_recurrent_layers(new_library("aten", DispatchKey::AutogradCUDA));
  add_attention_backends();
  new_library("_", DispatchKey::CUDA)
      .fallback(torch::CppFunction::makeFromBoxedFunction<&call_on_host>());
  add_sparse_host_calls(DispatchKey::SparseCUDA, DispatchKey::SparseCPU);
  add_sparse_host_calls(DispatchKey::SparseCsrCUDA, DispatchKey::SparseCsrCPU);
  add_nested_host_calls();
  add_refusals();
}

int is_cuda_library(dl_phdr_info* info, std::size_t /*size*/, void* /*data*/) {
  return std::strstr(info->dlpi_name, "libtorch_cuda") != nullptr ||
         std::strstr(info->dlpi_name, "libc10_cuda") != nullptr;
}

}  // namespace

bool has_real_cuda() {
  return at::CUDAHooksRegistry()->Has("CUDAHooks") ||
         dl_iterate_phdr(&is_cuda_library, nullptr) != 0;
}

void install() {
  static bool is_installed = false;
  if (is_installed || has_real_cuda()) return;
  is_installed = true;
  at::CUDAHooksRegistry()->Register("CUDAHooks", [](at::CUDAHooksArgs) { return make_hooks(); });
  static c10::impl::DeviceGuardImplRegistrar guard(c10::kCUDA, &device_guard());
  c10::SetAllocator(c10::kCUDA, device_allocator());
  watch_host_allocations();
  pinned_allocator();  // libtorch's own code asks for it by its device
  add_kernels();
  watch_extension_operators();
  devices::set_environment_observer([](const rules::Rule& rule, std::string_view /*function*/,
                                       const std::string& message) { warn(rule, message); });
}

}  // namespace placecheck::virtual_cuda
