// Formulas as in ATen/native/cuda/RNN.cu and native/Dropout.cpp.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/torch/virtual_cuda/kernels.h"

namespace placecheck::virtual_cuda {
namespace {

using at::Tensor;
using OptionalTensor = c10::optional<Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;
using Five = std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>;

bool has(const OptionalTensor& tensor) { return tensor.has_value() && tensor->defined(); }

Tensor with_bias(const Tensor& gates, const OptionalTensor& bias) {
  return has(bias) ? gates + *bias : gates;
}

// The gradient of `x` where y = sigmoid(x), or tanh(x), given that of y.
Tensor through_sigmoid(const Tensor& grad, const Tensor& y) { return grad * y * (1 - y); }
Tensor through_tanh(const Tensor& grad, const Tensor& y) { return grad * (1 - y * y); }

Three lstm_cell(const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& cx,
                const OptionalTensor& input_bias, const OptionalTensor& hidden_bias) {
  const Tensor gates = with_bias(hidden_gates, hidden_bias) + with_bias(input_gates, input_bias);
  const std::vector<Tensor> chunks = gates.chunk(4, 1);
  const Tensor in = chunks[0].sigmoid();
  const Tensor forget = chunks[1].sigmoid();
  const Tensor cell = chunks[2].tanh();
  const Tensor out = chunks[3].sigmoid();
  const Tensor cy = forget * cx + in * cell;
  const Tensor hy = out * cy.tanh();
  return {hy, cy, at::cat({in, forget, cell, out}, 1)};
}

Three lstm_cell_backward(const OptionalTensor& grad_hy, const OptionalTensor& grad_cy,
                         const Tensor& cx, const Tensor& cy, const Tensor& workspace,
                         bool has_bias) {
  if (!has(grad_hy) && !has(grad_cy)) return {};
  const std::vector<Tensor> gates = workspace.chunk(4, 1);
  const Tensor& in = gates[0];
  const Tensor& forget = gates[1];
  const Tensor& cell = gates[2];
  const Tensor& out = gates[3];
  const Tensor tanh_cy = cy.tanh();
  Tensor grad_out = at::zeros_like(out);
  Tensor grad_cell_state = has(grad_cy) ? *grad_cy : at::zeros_like(cy);
  if (has(grad_hy)) {
    grad_out = *grad_hy * tanh_cy;
    grad_cell_state = grad_cell_state + through_tanh(*grad_hy * out, tanh_cy);
  }
  const Tensor grad_gates = at::cat(
      {through_sigmoid(grad_cell_state * cell, in), through_sigmoid(grad_cell_state * cx, forget),
       through_tanh(grad_cell_state * in, cell), through_sigmoid(grad_out, out)},
      1);
  const Tensor grad_bias = has_bias ? grad_gates.sum(0) : Tensor();
  return {grad_gates, grad_cell_state * forget, grad_bias};
}

std::tuple<Tensor, Tensor> gru_cell(const Tensor& input_gates, const Tensor& hidden_gates,
                                    const Tensor& hx, const OptionalTensor& input_bias,
                                    const OptionalTensor& hidden_bias) {
  const std::vector<Tensor> in = with_bias(input_gates, input_bias).chunk(3, 1);
  const std::vector<Tensor> hidden = with_bias(hidden_gates, hidden_bias).chunk(3, 1);
  const Tensor reset = (in[0] + hidden[0]).sigmoid();
  const Tensor update = (in[1] + hidden[1]).sigmoid();
  const Tensor fresh = (in[2] + reset * hidden[2]).tanh();
  const Tensor hy = (hx - fresh) * update + fresh;
  return {hy, at::cat({reset, update, fresh, hx, hidden[2]}, 1)};
}

Five gru_cell_backward(const Tensor& grad_hy, const Tensor& workspace, bool has_bias) {
  const std::vector<Tensor> saved = workspace.chunk(5, 1);
  const Tensor& reset = saved[0];
  const Tensor& update = saved[1];
  const Tensor& fresh = saved[2];
  const Tensor& hx = saved[3];
  const Tensor& hidden = saved[4];
  const Tensor grad_update = through_sigmoid(grad_hy * (hx - fresh), update);
  const Tensor grad_fresh = through_tanh(grad_hy * (1 - update), fresh);
  const Tensor grad_reset = through_sigmoid(grad_fresh * hidden, reset);
  const Tensor grad_input = at::cat({grad_reset, grad_update, grad_fresh}, 1);
  const Tensor grad_hidden = at::cat({grad_reset, grad_update, grad_fresh * reset}, 1);
  return {grad_input, grad_hidden, grad_hy * update, has_bias ? grad_input.sum(0) : Tensor(),
          has_bias ? grad_hidden.sum(0) : Tensor()};
}

std::tuple<Tensor, Tensor> dropout(const Tensor& input, double p, c10::optional<bool> train) {
  const at::TensorOptions mask_options = input.options().dtype(at::kBool);
  if (input.numel() == 0) return {input, at::empty_like(input, mask_options)};
  if (!train.value_or(true)) return {input.clone(), at::ones_like(input, mask_options)};
  const double keep = 1 - p;
  const Tensor mask = at::empty_like(input, mask_options).bernoulli_(keep);
  return {input.mul(mask).mul_(keep == 0 ? 0 : 1 / keep), mask};
}

// Boxed, since the arguments are not looked at, and differ from release to release.
void answer_no(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  torch::jit::drop(*stack, op.schema().arguments().size());
  if (op.schema().returns().at(0).type()->kind() == c10::TypeKind::BoolType) {
    torch::jit::push(*stack, false);
  } else {
    torch::jit::push(*stack, 0);
  }
}

// Which of several kernels ATen is to take: the one that all backends have. Releases that do not
// ask are passed over.
void add_choices(torch::Library& library) {
  constexpr const char* kQuestions[] = {
      "_use_cudnn_ctc_loss",  "_use_cudnn_ctc_loss.Tensor",  //
      "_use_miopen_ctc_loss", "_use_miopen_ctc_loss.Tensor",
      "_fused_sdp_choice",  // of attention: 0 is the formula
  };
  for (const std::string name : kQuestions) {
    const std::size_t dot = name.find('.');
    const std::string overload = dot == std::string::npos ? "" : name.substr(dot + 1);
    const c10::OperatorName op("aten::" + name.substr(0, dot), overload);
    if (!c10::Dispatcher::singleton().findSchema(op)) continue;
    library.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunction<&answer_no>());
  }
}

}  // namespace

void add_host_fused_kernels(torch::Library& library) {
  library.impl("_thnn_fused_lstm_cell", &lstm_cell);
  library.impl("_thnn_fused_lstm_cell_backward_impl", &lstm_cell_backward);
  library.impl("_thnn_fused_gru_cell", &gru_cell);
  library.impl("_thnn_fused_gru_cell_backward", &gru_cell_backward);
}

void add_cuda_only_kernels(torch::Library& library) {
  library.impl("native_dropout", &dropout);
  add_choices(library);
}

}  // namespace placecheck::virtual_cuda
