// softmax(x, dim, dtype=float32) of half: CUDA widens and computes at once, and the CPU refuses to.
// From ATen/native/cuda/SoftMax.cu.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <memory>
#include <string>

#include "runtime/torch/virtual_cuda/host_call.h"
#include "runtime/torch/virtual_cuda/kernels.h"

namespace placecheck::virtual_cuda {
namespace {

c10::OperatorHandle operator_named(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow((std::string("aten::") + name).c_str(), "");
}

// Arguments: self, dim, half_to_float.
class Softmax : public c10::OperatorKernel {
 public:
  explicit Softmax(const c10::OperatorHandle& op) : host_(op) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  torch::jit::Stack* stack) {
    c10::IValue* const arguments = stack->data() + (stack->size() - 3);
    if (arguments[2].toBool()) {
      const at::Tensor input = arguments[0].toTensor();
      TORCH_CHECK(input.scalar_type() == at::kHalf, "conversion is supported for Half type only");
      arguments[0] = input.to(at::kFloat);
      arguments[2] = false;
    }
    host_(op, keys, stack);
  }

 private:
  HostCall host_;
};

// Arguments: grad_output, output, dim, input_dtype.
class SoftmaxBackward : public c10::OperatorKernel {
 public:
  explicit SoftmaxBackward(const c10::OperatorHandle& op) : host_(op) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  torch::jit::Stack* stack) {
    c10::IValue* const arguments = stack->data() + (stack->size() - 4);
    const bool is_narrowed = arguments[3].toScalarType() == at::kHalf &&
                             arguments[0].toTensor().scalar_type() == at::kFloat;
    if (is_narrowed) arguments[3] = at::kFloat;
    host_(op, keys, stack);
    if (is_narrowed) stack->back() = stack->back().toTensor().to(at::kHalf);
  }

 private:
  HostCall host_;
};

template <typename Kernel>
void add(torch::Library& library, const char* name) {
  library.impl(name, torch::CppFunction::makeFromBoxedFunctor(
                         std::make_unique<Kernel>(operator_named(name))));
}

}  // namespace

void add_softmax_kernels(torch::Library& library) {
  add<Softmax>(library, "_softmax");
  add<Softmax>(library, "_log_softmax");
  add<SoftmaxBackward>(library, "_softmax_backward_data");
  add<SoftmaxBackward>(library, "_log_softmax_backward_data");
}

}  // namespace placecheck::virtual_cuda
