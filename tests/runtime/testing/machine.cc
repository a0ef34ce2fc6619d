#include "tests/runtime/testing/machine.h"

#include "runtime/autograd/engine.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/generator.h"
#include "runtime/core/check.h"

namespace placecheck::runtime {

VirtualOptions strict_machine(std::size_t devices) {
  VirtualOptions options;
  options.gpus.assign(devices, VirtualGpu{.memory = std::int64_t{64} << 20});
  options.has_guards = true;
  options.late_start_seed = 7;
  options.latest_start = std::chrono::microseconds(20);
  return options;
}

MachineTest::MachineTest(std::size_t devices)
    : backend_(make_virtual_backend(strict_machine(devices))),
      handler_([this](const std::string& text) { warnings_.push_back(text); }) {
  manual_seed(1);
}

// What streams found out late fails the test, too.
MachineTest::~MachineTest() {
  for (int i = 0; i < cuda_backend().device_count(); ++i) {
    EXPECT_NO_THROW(cuda_backend().synchronize_device(i));
  }
}

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

std::string rule_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const RuleError& error) {
    return std::string(error.rule());
  } catch (const std::exception&) {
    return "";
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

namespace {

double weighted_sum(const Tensor& output, const Tensor& weights) {
  return (output.detach().to(Device(kCPU)) * weights).sum().item<double>();
}

// The value of the function with one element moved.
double moved(const std::function<Tensor(const TensorList&)>& function, const TensorList& inputs,
             const Tensor& weights, std::size_t input, std::int64_t element, double by) {
  NoGradGuard no_grad;
  TensorList changed = inputs;
  Tensor copy = inputs[input].detach().clone();
  copy.view({-1})[element].add_(by);
  changed[input] = copy;
  return weighted_sum(function(changed), weights);
}

}  // namespace

void expect_gradients(const std::function<Tensor(const TensorList&)>& function,
                      const TensorList& inputs) {
  Tensor output = function(inputs);
  Tensor weights = randn(output.sizes(), kDouble);
  TensorList gradients = autograd::grad({output}, inputs, {weights.to(output.device())});
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::vector<double> gradient = gradients[i].to_vector<double>();
    for (std::int64_t e = 0; e < inputs[i].numel(); ++e) {
      double above = moved(function, inputs, weights, i, e, kStep);
      double below = moved(function, inputs, weights, i, e, -kStep);
      double expected = (above - below) / (2 * kStep);
      EXPECT_NEAR(gradient[static_cast<std::size_t>(e)], expected, 1e-6 + 1e-4 * std::abs(expected))
          << "input " << i << ", element " << e;
    }
  }
}

}  // namespace placecheck::runtime
