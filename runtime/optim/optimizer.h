// Optimizers: SGD and Adam, with libtorch's names and PyTorch's formulas. They update parameters in
// place, each with one kernel, where the parameter lives.
// Ownership: share the parameters, own their state, which follows a parameter to its device only if
// the optimizer has not made a step yet. Threads: one at a time. Errors: RuleError
// (device-mismatch) for a gradient or state on another device than its parameter.
#ifndef PLACECHECK_RUNTIME_OPTIM_OPTIMIZER_H_
#define PLACECHECK_RUNTIME_OPTIM_OPTIMIZER_H_

#include <cstdint>
#include <vector>

#include "runtime/nn/options.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::optim {

class Optimizer {
 public:
  explicit Optimizer(std::vector<Tensor> parameters) : parameters_(std::move(parameters)) {}
  virtual ~Optimizer() = default;

  // Parameters without a gradient are left alone.
  virtual void step() = 0;
  void zero_grad() {
    for (const Tensor& parameter : parameters_) parameter.zero_grad();
  }
  const std::vector<Tensor>& parameters() const { return parameters_; }

 private:
  std::vector<Tensor> parameters_;
};

class SGDOptions {
 public:
  SGDOptions(double lr) : lr_(lr) {}
  PLACECHECK_OPTION(double, lr, 0);
  PLACECHECK_OPTION(double, momentum, 0);
  PLACECHECK_OPTION(double, dampening, 0);
  PLACECHECK_OPTION(double, weight_decay, 0);
  PLACECHECK_OPTION(bool, nesterov, false);
};

class SGD : public Optimizer {
 public:
  SGD(std::vector<Tensor> parameters, const SGDOptions& options);
  void step() override;

 private:
  SGDOptions options_;
  TensorList momentum_;
};

class AdamOptions {
 public:
  AdamOptions(double lr = 1e-3) : lr_(lr) {}
  PLACECHECK_OPTION(double, lr, 1e-3);
  PLACECHECK_OPTION(double, beta1, 0.9);
  PLACECHECK_OPTION(double, beta2, 0.999);
  PLACECHECK_OPTION(double, eps, 1e-8);
  PLACECHECK_OPTION(double, weight_decay, 0);
};

class Adam : public Optimizer {
 public:
  Adam(std::vector<Tensor> parameters, const AdamOptions& options = {});
  void step() override;

 private:
  struct State {
    Tensor average;
    Tensor square_average;
    std::int64_t steps = 0;
  };

  AdamOptions options_;
  std::vector<State> states_;
};

}  // namespace placecheck::runtime::optim

#endif  // PLACECHECK_RUNTIME_OPTIM_OPTIMIZER_H_
