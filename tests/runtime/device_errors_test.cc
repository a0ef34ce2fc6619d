// What misplaced operands raise: PyTorch's texts to the letter, and the rule.
#include <gtest/gtest.h>

#include "runtime/runtime.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

struct Case {
  const char* name;
  std::function<void()> body;
  const char* text;
};

Tensor host(const Shape& sizes) { return ones(sizes); }
Tensor on(DeviceIndex device, const Shape& sizes) { return ones(sizes, gpu(device)); }
Tensor labels() { return zeros({2}, kLong); }

template <typename Module>
Module moved(Module module, DeviceIndex device) {
  module->to(gpu(device));
  return module;
}

const char* const kSame =
    "Expected all tensors to be on the same device, but found at least two devices, ";

std::vector<Case> cases() {
  return {
      {"linear_cpu_model", [] { nn::Linear(3, 2)(on(0, {2, 3})); },
       "cpu and cuda:0! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)"},
      {"linear_cpu_input", [] { moved(nn::Linear(3, 2), 0)(host({2, 3})); },
       "cuda:0 and cpu! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)"},
      {"linear_other_gpu", [] { moved(nn::Linear(3, 2), 1)(on(0, {2, 3})); },
       "cuda:1 and cuda:0! (when checking argument for argument mat1 in method "
       "wrapper_CUDA_addmm)"},
      {"linear_without_bias",
       [] { moved(nn::Linear(nn::LinearOptions(3, 2).bias(false)), 0)(host({2, 3})); },
       "cpu and cuda:0! (when checking argument for argument mat2 in method wrapper_CUDA_mm)"},
      {"embedding", [] { moved(nn::Embedding(3, 2), 0)(labels()); },
       "cuda:0 and cpu! (when checking argument for argument index in method "
       "wrapper_CUDA__index_select)"},
      {"cross_entropy", [] { cross_entropy(on(0, {2, 3}), labels()); },
       "cuda:0 and cpu! (when checking argument for argument target in method "
       "wrapper_CUDA_nll_loss_forward)"},
      {"cat", [] { cat({on(0, {2}), on(1, {2})}); },
       "cuda:0 and cuda:1! (when checking argument for argument tensors in method "
       "wrapper_CUDA_cat)"},
      {"conv_other_gpu", [] { moved(nn::Conv2d(1, 1, 1), 1)(on(0, {1, 1, 2, 2})); },
       "cuda:0 and cuda:1! (when checking argument for argument weight in method "
       "wrapper_CUDA__cudnn_convolution)"},
      {"batch_norm_cpu_model", [] { nn::BatchNorm1d(2)(on(0, {3, 2})); },
       "cuda:0 and cpu! (when checking argument for argument weight in method "
       "wrapper_CUDA__cudnn_batch_norm)"},
      {"batch_norm_cpu_input", [] { moved(nn::BatchNorm1d(2), 0)(host({3, 2})); },
       "cpu and cuda:0! (when checking argument for argument weight in method "
       "wrapper_CUDA__native_batch_norm)"},
      {"equal", [] { equal(on(0, {2}), host({2})); },
       "cuda:0 and cpu! (when checking argument for argument other in method wrapper_CUDA__equal)"},
      {"add_cpu_first", [] { host({2}) + on(1, {2}); }, "cuda:1 and cpu!"},
      {"add_two_gpus", [] { on(2, {2}) + on(1, {2}); }, "cuda:2 and cuda:1!"},
      {"mul_in_place", [] { on(0, {2}).mul_(host({2})); }, "cuda:0 and cpu!"},
      {"number_of_another_gpu", [] { on(0, {2}) * on(1, {}); }, "cuda:0 and cuda:1!"},
      {"mse", [] { mse_loss(on(0, {2}), host({2})); }, "cuda:0 and cpu!"},
      {"optimizer",
       [] {
         Tensor parameter = on(0, {2}).requires_grad_();
         parameter.mutable_grad() = host({2});
         optim::SGD({parameter}, 0.1).step();
       },
       "cuda:0 and cpu!"},
  };
}

class DeviceErrorTest : public MachineTest, public testing::WithParamInterface<std::size_t> {};

TEST_P(DeviceErrorTest, IsPyTorchs) {
  Case each = cases()[GetParam()];
  EXPECT_EQ(error_of(each.body), std::string(kSame) + each.text);
  EXPECT_EQ(rule_of(each.body), "device-mismatch");
}

INSTANTIATE_TEST_SUITE_P(Table, DeviceErrorTest, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& info) { return cases()[info.param].name; });

class DeviceRulesTest : public MachineTest {};

TEST_F(DeviceRulesTest, ConvolutionsCompareKindsFirst) {
  EXPECT_EQ(error_of([] { moved(nn::Conv2d(1, 1, 1), 0)(host({1, 1, 2, 2})); }),
            "Input type (CPUFloatType) and weight type (CUDAFloatType) should be the same or input "
            "should be a MKLDNN tensor and weight is a dense tensor");
  EXPECT_EQ(error_of([] { nn::Conv2d(1, 1, 1)(on(0, {1, 1, 2, 2})); }),
            "Input type (CUDAFloatType) and weight type (CPUFloatType) should be the same");
  nn::Conv2d parted(1, 1, 1);
  parted->weight.set_data(parted->weight.to(gpu(0)));
  EXPECT_EQ(error_of([&] { parted(on(0, {1, 1, 2, 2})); }),
            "Input type (CUDAFloatType) and bias type (CPUFloatType) should be the same");
  parted->bias.set_data(parted->bias.to(gpu(1)));
  EXPECT_EQ(error_of([&] { parted(on(0, {1, 1, 2, 2})); }),
            std::string(kSame) + "cuda:0 and cuda:1!");
  EXPECT_EQ(rule_of([&] { parted(on(0, {1, 1, 2, 2})); }), "device-mismatch");
}

TEST_F(DeviceRulesTest, OneNumberOfTheCpuMayJoin) {
  Tensor x = on(1, {3});
  EXPECT_TRUE(equal((x * scalar_tensor(2)).cpu(), full({3}, 2)));
  EXPECT_TRUE(equal((scalar_tensor(5) - x).cpu(), full({3}, 4)));
  EXPECT_EQ((scalar_tensor(5) - x).device(), gpu(1));
  EXPECT_EQ(error_of([&] { x.copy_(host({4})); }).substr(0, 31), "The expanded size of the tensor");
  x.copy_(full({3}, 9));
  EXPECT_TRUE(equal(x.cpu(), full({3}, 9))) << "copies cross devices";
}

// A gradient stays behind in libtorch when a module moves; here it moves along, as in Python.
TEST_F(DeviceRulesTest, GradientsMoveWithTheirModule) {
  nn::Linear linear(2, 2);
  linear(host({1, 2})).sum().backward();
  linear->to(gpu(1));
  EXPECT_EQ(linear->weight.grad().device(), gpu(1));
  EXPECT_NO_THROW(optim::SGD(linear->parameters(), 0.1).step());
}

// State that an optimizer has made stays where it was made.
TEST_F(DeviceRulesTest, AnOptimizersStateDoesNotMove) {
  nn::Linear linear(2, 2);
  optim::Adam adam(linear->parameters());
  auto step = [&](const Tensor& input) {
    linear(input).sum().backward();
    adam.step();
  };
  step(host({1, 2}));
  linear->to(gpu(0));
  EXPECT_EQ(error_of([&] { step(on(0, {1, 2})); }), std::string(kSame) + "cuda:0 and cpu!");
  nn::Linear fresh(2, 2);
  optim::Adam built_before(fresh->parameters());
  fresh->to(gpu(0));
  fresh(on(0, {1, 2})).sum().backward();
  EXPECT_NO_THROW(built_before.step());
}

// One number of the CPU may join, but not two.
TEST_F(DeviceRulesTest, TwoNumbersOfTheCpuAreTooMany) {
  struct Scale : nn::Module {
    Tensor by = register_parameter("by", ones({}));
  };
  Scale scale;
  optim::Adam adam(scale.parameters());
  auto step = [&](const Device& device) {
    (scale.by * ones({2}, device)).sum().backward();
    adam.step();
  };
  step(kCPU);
  scale.to(gpu(0));
  EXPECT_EQ(error_of([&] { step(gpu(0)); }),
            "Trying to pass too many CPU scalars to non-CPU kernel!");
  EXPECT_EQ(rule_of([&] { step(gpu(0)); }), "device-mismatch");
}

TEST_F(DeviceRulesTest, ModulesSayWhatTheyCannotRegister) {
  struct Named : nn::Module {
    void parameter(const std::string& name) { register_parameter(name, ones({1})); }
    void buffer(const std::string& name) { register_buffer(name, ones({1})); }
    void child(const std::string& name) { register_module(name, nn::ReLU()); }
  };
  Named module;
  EXPECT_EQ(error_of([&] { module.parameter(""); }), "Parameter name must not be empty");
  EXPECT_EQ(error_of([&] { module.buffer("a.b"); }),
            "Buffer name must not contain a dot (got 'a.b')");
  module.child("x");
  EXPECT_EQ(error_of([&] { module.child("x"); }), "Submodule 'x' already defined");
  EXPECT_EQ(error_of([&] { module.child("a.b"); }),
            "Submodule name must not contain a dot (got 'a.b')");
  module.parameter("p");
  EXPECT_EQ(error_of([&] { module.parameter("p"); }), "Parameter 'p' already defined");
  module.buffer("b");
  EXPECT_EQ(error_of([&] { module.buffer("b"); }), "Buffer 'b' already defined");
  EXPECT_EQ(error_of([&] { module.to(kLong); }),
            "nn.Module.to only accepts floating point or complex dtypes, but got desired "
            "dtype=torch.int64");
}

}  // namespace
}  // namespace placecheck::runtime
