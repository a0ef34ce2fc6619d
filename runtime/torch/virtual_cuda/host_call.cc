#include "runtime/torch/virtual_cuda/host_call.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/DispatchKeySet.h>

#include <utility>

#include "runtime/torch/virtual_cuda/devices.h"
#include "runtime/torch/virtual_cuda/generator.h"
#include "runtime/torch/virtual_cuda/host_view.h"
#include "runtime/torch/virtual_cuda/observers.h"
#include "runtime/torch/virtual_cuda/reduced_float.h"
#include "runtime/torch/virtual_cuda/transfers.h"

namespace placecheck::virtual_cuda {
namespace {

using c10::IValue;

std::optional<c10::Device> device_of(const IValue& value) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (tensor.defined() && tensor.is_cuda()) return tensor.device();
  } else if (value.isList()) {
    for (const IValue& element : value.toListRef()) {
      if (const auto device = device_of(element)) return device;
    }
  }
  return std::nullopt;
}

// Where new results go: to the first device tensor's device, or where the caller asks for them.
c10::Device result_device(at::ArrayRef<IValue> arguments, std::optional<std::size_t> asked) {
  if (asked && arguments[*asked].isDevice()) {
    const c10::Device device = arguments[*asked].toDevice();
    if (device.is_cuda()) return resolve(device);
  }
  for (const IValue& argument : arguments) {
    if (const auto device = device_of(argument)) return *device;
  }
  return resolve(c10::Device(c10::kCUDA));
}

// A generator alone brings a call here: its key takes part in the dispatch.
void check_operands_of_generator(at::ArrayRef<IValue> arguments) {
  for (const IValue& argument : arguments) {
    if (device_of(argument)) return;
  }
  for (const IValue& argument : arguments) {
    const bool is_host_tensor = argument.isTensor() && argument.toTensor().defined();
    TORCH_CHECK(!is_host_tensor, "Expected a 'cpu' device type for generator but found 'cuda'");
  }
}

IValue list_on_host(const IValue& list, HostView& view) {
  if (list.isTensorList()) {
    c10::List<at::Tensor> tensors;
    for (const IValue& element : list.toListRef()) {
      tensors.push_back(view.to_host(element.toTensor()));
    }
    return tensors;
  }
  c10::List<c10::optional<at::Tensor>> tensors;
  for (const IValue& element : list.toListRef()) {
    if (element.isTensor()) {
      tensors.push_back(view.to_host(element.toTensor()));
    } else {
      tensors.push_back(c10::nullopt);
    }
  }
  return tensors;
}

IValue on_host(const IValue& value, HostView& view) {
  if (value.isTensor()) return view.to_host(value.toTensor());
  const bool has_tensors = value.isList() && device_of(value).has_value();
  return has_tensors ? list_on_host(value, view) : value;
}

// The text is that of ATen/core/Generator.h.
IValue generator_on_host(const IValue& generator, c10::Device device) {
  if (!generator.isGenerator()) {
    return host_generator_for_call(default_generator(device.index()));
  }
  const at::Generator given = generator.toGenerator();
  TORCH_CHECK(given.device().is_cuda(), "Expected a 'cuda' device type for generator but found '",
              given.device().type(), "'");
  return host_generator_for_call(given);
}

// Where the results of a call go: each to the device of its tensor where `each` is a list of them.
IValue on_device(IValue&& result, HostView& view, c10::Device device, const IValue& each) {
  if (result.isTensor()) return view.to_device(std::move(result).toTensor(), device);
  if (!result.isTensorList()) return std::move(result);
  c10::List<at::Tensor> tensors;
  std::size_t i = 0;
  for (at::Tensor& tensor : std::move(result).toTensorVector()) {
    const auto own = each.isTensorList() ? device_of(each.toListRef()[i++]) : std::nullopt;
    tensors.push_back(view.to_device(std::move(tensor), own.value_or(device)));
  }
  return tensors;
}

// Sparse kernels ask it of their operands: what they keep for the backward pass depends on it.
void take_requires_grad(const IValue& host, const IValue& argument) {
  if (!argument.isTensor() || !argument.toTensor().defined()) return;
  if (argument.toTensor().requires_grad()) host.toTensor().set_requires_grad(true);
}

void call_cpu_kernel(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
}

void call_found_kernel(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  op.callBoxed(stack);
}

std::optional<std::size_t> find_argument(const c10::FunctionSchema& schema, c10::TypeKind kind) {
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    c10::TypePtr type = schema.arguments()[i].type();
    if (type->kind() == c10::TypeKind::OptionalType) type = type->containedType(0);
    if (type->kind() == kind) return i;
  }
  return std::nullopt;
}

}  // namespace

HostCall::HostCall(const c10::OperatorHandle& op, bool finds_kernel)
    : placement_(placement_of(op)),
      limits_(op),
      finds_kernel_(finds_kernel),
      generator_(find_argument(op.schema(), c10::TypeKind::GeneratorType)),
      device_(find_argument(op.schema(), c10::TypeKind::DeviceObjType)) {
  is_for_each_ = op.operator_name().name.starts_with("aten::_foreach_");
  is_slow_in_half_ = is_slow_in_half(op);
  if (accumulates_in_float(op)) is_in_float_[0] = is_in_float_[1] = true;
}

void HostCall::operator()(const c10::OperatorHandle& op, c10::DispatchKeySet /*keys*/,
                          torch::jit::Stack* stack) {
  note_work();
  const std::size_t count = op.schema().arguments().size();
  const at::ArrayRef<IValue> arguments = torch::jit::last(*stack, count);
  check_placement(placement_, arguments);
  limits_.check(op, arguments);
  if (generator_ && arguments[*generator_].isGenerator()) check_operands_of_generator(arguments);
  const c10::Device device = result_device(arguments, device_);
  // Its tensors may be on several devices, each result where its tensor is.
  const IValue each = is_for_each_ ? arguments.front() : IValue();

  HostView view;
  for (std::size_t i = stack->size() - count; i < stack->size(); ++i) {
    IValue host = on_host((*stack)[i], view);
    if (finds_kernel_) take_requires_grad(host, (*stack)[i]);
    (*stack)[i] = std::move(host);
  }
  IValue* const first = stack->data() + (stack->size() - count);
  if (device_ && first[*device_].isDevice()) first[*device_] = c10::Device(c10::kCPU);
  if (generator_) first[*generator_] = generator_on_host(first[*generator_], device);
  try {
    call_kernel(op, count, device, stack);
  } catch (const c10::Error& error) {
    limits_.rethrow_as_assertion(op, error);
    throw;
  }
  view.write_back();
  const std::size_t results = op.schema().returns().size();
  for (std::size_t i = stack->size() - results; i < stack->size(); ++i) {
    (*stack)[i] = on_device(std::move((*stack)[i]), view, device, each);
  }
}

void HostCall::call_kernel(const c10::OperatorHandle& op, std::size_t count, c10::Device device,
                           torch::jit::Stack* stack) {
  at::AutoDispatchBelowADInplaceOrView guard;
  const KernelOnHost on_host(device);
  const KernelCall call = finds_kernel_ ? &call_found_kernel : &call_cpu_kernel;
  const auto type = reduced_float_of(torch::jit::last(*stack, count));
  if (!type) [[likely]] {
    call(op, stack);
    return;
  }
  std::atomic<bool>& is_in_float = is_in_float_[*type == at::kHalf ? 0 : 1];
  const std::size_t rest = stack->size() - count;
  const auto arguments = torch::jit::last(*stack, count);
  std::vector<IValue> kept(arguments.begin(), arguments.end());
  const bool is_faster_in_float =
      is_slow_in_half_ && *type == at::kHalf && are_of_type(kept, at::kHalf);
  if (!is_in_float && !is_faster_in_float) {
    try {
      call(op, stack);
      return;
    } catch (const c10::Error& error) {
      if (!is_missing_kernel(error)) throw;
      is_in_float = true;
    }
  }
  stack->resize(rest);
  call_in_float(op, call, *type, std::move(kept), stack);
}

void call_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  TORCH_CHECK_NOT_IMPLEMENTED(op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU),
                              "not supported on virtual GPUs: ", op.operator_name(),
                              " has no CPU kernel");
  HostCall call(op);
  call(op, c10::DispatchKeySet(c10::DispatchKey::CUDA), stack);
}

void call_sparse_on_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const bool has_kernel = op.hasComputedKernelForDispatchKey(c10::DispatchKey::SparseCPU) ||
                          op.hasComputedKernelForDispatchKey(c10::DispatchKey::SparseCsrCPU);
  TORCH_CHECK_NOT_IMPLEMENTED(has_kernel, "not supported on virtual GPUs: ", op.operator_name(),
                              " has no CPU kernel for sparse tensors");
  HostCall call(op, /*finds_kernel=*/true);
  call(op, c10::DispatchKeySet(c10::DispatchKey::SparseCUDA), stack);
}

}  // namespace placecheck::virtual_cuda
