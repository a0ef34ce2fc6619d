// Operators that a release's CPU kernels lack for 16-bit floating types, or are slow in, and every
// GPU has: computed in float from copies of the arguments, and rounded once.
//
// Errors: those of the float kernel. Threads: values; one call at a time each.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_REDUCED_FLOAT_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_REDUCED_FLOAT_H_

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <optional>
#include <vector>

namespace placecheck::virtual_cuda {

// The 16-bit floating type among the arguments' tensors, if there is one.
std::optional<at::ScalarType> reduced_float_of(at::ArrayRef<c10::IValue> arguments);

// Whether CUDA's kernel sums 16-bit floats in float, where the CPU's does not in every release.
bool accumulates_in_float(const c10::OperatorHandle& op);

// Whether it is a product, which the CPU computes some twenty times faster in float than in half.
bool is_slow_in_half(const c10::OperatorHandle& op);

// Whether all floating-point tensors among the arguments are of that type.
bool are_of_type(at::ArrayRef<c10::IValue> arguments, at::ScalarType type);

// Whether a CPU kernel says that it is not there for the type.
bool is_missing_kernel(const c10::Error& error);

// Calls a kernel of `op`.
using KernelCall = void (*)(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// Makes the call in float on `arguments`, which are CPU tensors of `type` and others, and appends
// to the stack what the kernel for `type` would have returned.
void call_in_float(const c10::OperatorHandle& op, KernelCall call, at::ScalarType type,
                   std::vector<c10::IValue>&& arguments, torch::jit::Stack* stack);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_REDUCED_FLOAT_H_
