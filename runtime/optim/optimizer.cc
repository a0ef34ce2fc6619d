#include "runtime/optim/optimizer.h"

#include <cmath>

#include "runtime/autograd/grad_mode.h"
#include "runtime/core/check.h"
#include "runtime/optim/kernels.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/launch.h"
#include "runtime/tensor/op_rows.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime::optim {
namespace {

// Where a step meets nothing but its own device's tensors of one size.
void check_step(const Tensor& parameter, const Tensor& grad, const Tensor& first,
                const Tensor& second) {
  check_operands(rows::kOptimizerStep, {&parameter, &grad, &first, &second});
  check(parameter.is_contiguous(), "an optimizer's parameter must be dense");
  check(parameter.sizes() == grad.sizes() && parameter.dtype() == grad.dtype(),
        "a gradient of size ", grad.sizes(), " does not fit its parameter of size ",
        parameter.sizes());
}

}  // namespace

SGD::SGD(std::vector<Tensor> parameters, const SGDOptions& options)
    : Optimizer(std::move(parameters)), options_(options), momentum_(this->parameters().size()) {
  check<ValueError>(options.lr() >= 0, "Invalid learning rate: ", options.lr());
  check<ValueError>(!options.nesterov() || (options.momentum() > 0 && options.dampening() == 0),
                    "Nesterov momentum requires a momentum and zero dampening");
}

void SGD::step() {
  NoGradGuard no_grad;
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    const Tensor& parameter = parameters()[i];
    if (!parameter.grad().defined()) continue;
    Tensor grad = parameter.grad().contiguous();
    bool has_momentum = options_.momentum() != 0;
    bool is_first = has_momentum && !momentum_[i].defined();
    if (is_first) momentum_[i] = zeros_like(parameter);
    check_step(parameter, grad, momentum_[i], Tensor());
    dispatch_storable(parameter.dtype(), "sgd", [&]<typename T>(T) {
      using Number = ComputeT<T>;
      auto rate = static_cast<Number>(options_.lr());
      auto decay = static_cast<Number>(options_.weight_decay());
      if (!has_momentum) {
        kernels::Sgd<T> kernel{parameter.data_ptr<T>(), grad.data_ptr<T>(), rate, decay};
        return run_kernel(parameter.device(), parameter.numel(), kernel, {&parameter, &grad});
      }
      kernels::SgdMomentum<T> kernel{
          .parameter = parameter.data_ptr<T>(),
          .grad = grad.data_ptr<T>(),
          .buffer = momentum_[i].data_ptr<T>(),
          .rate = rate,
          .decay = decay,
          .momentum = static_cast<Number>(options_.momentum()),
          .fresh = static_cast<Number>(is_first ? 1 : 1 - options_.dampening()),
          .is_nesterov = options_.nesterov()};
      run_kernel(parameter.device(), parameter.numel(), kernel, {&parameter, &grad, &momentum_[i]});
    });
    bump_version(parameter);
  }
}

Adam::Adam(std::vector<Tensor> parameters, const AdamOptions& options)
    : Optimizer(std::move(parameters)), options_(options), states_(this->parameters().size()) {
  check<ValueError>(options.lr() >= 0, "Invalid learning rate: ", options.lr());
}

void Adam::step() {
  NoGradGuard no_grad;
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    const Tensor& parameter = parameters()[i];
    if (!parameter.grad().defined()) continue;
    Tensor grad = parameter.grad().contiguous();
    State& state = states_[i];
    if (state.steps == 0) {
      state.average = zeros_like(parameter);
      state.square_average = zeros_like(parameter);
    }
    check_step(parameter, grad, state.average, state.square_average);
    ++state.steps;
    auto steps = static_cast<double>(state.steps);
    double correction1 = 1 - std::pow(options_.beta1(), steps);
    double correction2 = 1 - std::pow(options_.beta2(), steps);
    dispatch_storable(parameter.dtype(), "adam", [&]<typename T>(T) {
      using Number = ComputeT<T>;
      kernels::AdamStep<T> kernel{
          .parameter = parameter.data_ptr<T>(),
          .grad = grad.data_ptr<T>(),
          .average = state.average.data_ptr<T>(),
          .square_average = state.square_average.data_ptr<T>(),
          .step_size = static_cast<Number>(options_.lr() / correction1),
          .beta1 = static_cast<Number>(options_.beta1()),
          .beta2 = static_cast<Number>(options_.beta2()),
          .epsilon = static_cast<Number>(options_.eps()),
          .decay = static_cast<Number>(options_.weight_decay()),
          .inverse_correction = static_cast<Number>(1 / std::sqrt(correction2))};
      run_kernel(parameter.device(), parameter.numel(), kernel,
                 {&parameter, &grad, &state.average, &state.square_average});
    });
    bump_version(parameter);
  }
}

}  // namespace placecheck::runtime::optim
