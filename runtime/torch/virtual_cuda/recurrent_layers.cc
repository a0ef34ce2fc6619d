// Recurrent layers on GPUs are cuDNN's, whose backward pass wants training mode and has no
// derivative. The CPU's layers have both; these add the refusals, with the texts of
// ATen/native/cudnn/RNN.cpp and derivatives.yaml.
#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/torch/virtual_cuda/kernels.h"

namespace placecheck::virtual_cuda {
namespace {

using c10::IValue;

constexpr const char* kLayers[] = {
    "gru.data",      "gru.input",      "lstm.data",     "lstm.input",
    "rnn_relu.data", "rnn_relu.input", "rnn_tanh.data", "rnn_tanh.input",
};

// ATen/native/TensorProperties.cpp, cudnn_is_acceptable.
bool is_left_to_cudnn(const at::Tensor& input) {
  const at::ScalarType type = input.scalar_type();
  return at::globalContext().userEnabledCuDNN() && input.numel() != 0 &&
         (type == at::kDouble || type == at::kFloat || type == at::kHalf);
}

at::Tensor refuse_second_derivative(const at::Tensor& /*gradient*/) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false,
      "the derivative for '_cudnn_rnn_backward' is not implemented. Double backwards is not "
      "supported for CuDNN RNNs due to limitations in the CuDNN API. To run double backwards, "
      "please "
      "disable the CuDNN backend temporarily while running the forward pass of your RNN. For "
      "example: \nwith torch.backends.cudnn.flags(enabled=False):\n    output = model(inputs)");
}

// `tensor` with a gradient that has no derivative.
at::Tensor differentiable_once(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.requires_grad()) return tensor;
  const at::Tensor alias = at::alias(tensor);
  alias.register_hook([](const at::Tensor& gradient) -> at::Tensor {
    if (!gradient.defined() || !gradient.requires_grad()) return gradient;
    const at::Tensor last = at::alias(gradient);
    last.register_hook(&refuse_second_derivative);
    return last;
  });
  return alias;
}

void make_differentiable_once(IValue& argument) {
  if (argument.isTensor()) {
    argument = differentiable_once(argument.toTensor());
  } else if (argument.isTensorList()) {
    c10::List<at::Tensor> tensors;
    for (const at::Tensor& tensor : argument.toTensorVector()) {
      tensors.push_back(differentiable_once(tensor));
    }
    argument = std::move(tensors);
  }
}

void refuse_backward_pass(const IValue& result) {
  if (!result.isTensor() || !result.toTensor().requires_grad()) return;
  result.toTensor().register_hook([](const at::Tensor& /*gradient*/) {
    TORCH_CHECK(false, "cudnn RNN backward can only be called in training mode");
  });
}

class RecurrentLayer : public c10::OperatorKernel {
 public:
  explicit RecurrentLayer(const c10::OperatorHandle& op)
      : count_(op.schema().arguments().size()),
        train_(static_cast<std::size_t>(*op.schema().argumentIndexWithName("train"))) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet /*keys*/,
                  torch::jit::Stack* stack) {
    IValue* const arguments = stack->data() + (stack->size() - count_);
    const bool is_cudnn = at::GradMode::is_enabled() && is_left_to_cudnn(arguments[0].toTensor());
    const bool trains = arguments[train_].toBool();
    if (is_cudnn && trains) {
      for (std::size_t i = 0; i < count_; ++i) make_differentiable_once(arguments[i]);
    }
    // The layer that libtorch puts together of others, whichever the backend.
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::AutogradCPU), stack);
    if (!is_cudnn || trains) return;
    const std::size_t results = op.schema().returns().size();
    for (const IValue& result : torch::jit::last(*stack, results)) refuse_backward_pass(result);
  }

 private:
  std::size_t count_;
  std::size_t train_;
};

}  // namespace

void add_recurrent_layers(torch::Library& library) {
  for (const char* const name : kLayers) {
    const std::string_view full = name;
    const std::size_t dot = full.find('.');
    const auto op = c10::Dispatcher::singleton().findSchema(
        {"aten::" + std::string(full.substr(0, dot)), std::string(full.substr(dot + 1))});
    if (!op) continue;
    library.impl(name,
                 torch::CppFunction::makeFromBoxedFunctor(std::make_unique<RecurrentLayer>(*op)));
  }
}

}  // namespace placecheck::virtual_cuda
