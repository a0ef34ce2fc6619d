// Which devices the arguments of an operator may be on, as a CUDA build of PyTorch checks it, and
// the error where they are not.
//
// The generated CUDA wrappers demand one device of all tensor arguments, output arguments first
// (torchgen's device guard; ATen/core/op_registration/adaption.cpp has the text); operators that
// native_functions.yaml marks `device_check: NoCheck` leave it to TensorIterator, which lets one
// 0-dim CPU tensor join, or to themselves. Values; thread-safe.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_PLACEMENT_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_PLACEMENT_H_

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace placecheck::virtual_cuda {

// What is known of an operator before it is called.
struct OperatorPlacement {
  enum class Check : std::uint8_t {
    kExact,       // one device for all
    kIterator,    // one device for all but one 0-dim CPU input
    kIndex,       // indices may be on the CPU
    kMaskedFill,  // the mask is compared with the tensor
    kNone,
  };
  struct Argument {
    std::size_t position;
    std::string name;
    bool is_output;
  };

  Check check = Check::kExact;
  std::string method;               // "wrapper_addmm"
  std::vector<Argument> arguments;  // the tensors, in the order in which they are looked at
};

OperatorPlacement placement_of(const c10::OperatorHandle& op);

// Throws RuleError (device-mismatch).
void check_placement(const OperatorPlacement& placement, at::ArrayRef<c10::IValue> arguments);

// The check of a convolution, which compares kinds of tensors before it compares devices.
void check_convolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_PLACEMENT_H_
