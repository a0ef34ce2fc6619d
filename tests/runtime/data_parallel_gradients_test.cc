// Gradients through DataParallel, against those of the bare module and against finite differences.
// Names follow PyTorch's cases (test_data_parallel.py).
#include <gtest/gtest.h>

#include "runtime/autograd/engine.h"
#include "runtime/backend/cuda_api.h"
#include "runtime/backend/generator.h"
#include "runtime/nn/containers.h"
#include "runtime/nn/layers.h"
#include "runtime/optim/optimizer.h"
#include "runtime/parallel/data_parallel.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

using nn::DataParallel;
using nn::DeviceIds;

class DataParallelGradientsTest : public MachineTest {};

// Gradients of a module's parameters after sum().backward() of an output.
TensorList gradients(const nn::Module& module) {
  TensorList result;
  for (const Tensor& parameter : module.parameters()) result.push_back(parameter.grad());
  return result;
}

void expect_close(const TensorList& a, const TensorList& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].defined(), b[i].defined()) << i;
    EXPECT_TRUE(!a[i].defined() || allclose(a[i], b[i], 1e-4, 1e-5)) << i;
  }
}

// test_data_parallel: gradients equal those of the bare module, wherever the input is.
TEST_F(DataParallelGradientsTest, GradientsEqualTheBareModules) {
  for (const DeviceIds& ids : {DeviceIds{0, 1}, DeviceIds{1, 0}, DeviceIds{2, 0, 3}, DeviceIds{}}) {
    DeviceIndex first = ids.resolved()[0];
    nn::Linear bare(10, 5);
    bare->to(gpu(first));
    Tensor input = randn({20, 10}, gpu(1)).requires_grad_();
    Tensor expected = bare(input.to(gpu(first)));
    expected.sum().backward();
    TensorList wanted = gradients(*bare);
    Tensor input_grad = input.grad();
    bare->zero_grad();
    input.zero_grad();
    DataParallel net(bare, ids);
    Tensor output = net(input);
    EXPECT_EQ(output.device(), gpu(first));
    EXPECT_TRUE(allclose(output, expected, 1e-5, 1e-6));
    output.sum().backward();
    expect_close(gradients(*bare), wanted);
    EXPECT_TRUE(allclose(input.grad(), input_grad, 1e-5, 1e-6));
    EXPECT_EQ(input.grad().device(), gpu(1));
  }
}

// On any number of devices, also where some are idle.
TEST_F(DataParallelGradientsTest, AreTheSameOnTwoToEightDevices) {
  nn::Linear host(3, 2);
  Tensor x = randn({13, 3});
  host(x).pow(2).sum().backward();
  for (std::size_t count = 2; count <= 8; ++count) {
    ScopedCudaBackend machine(make_virtual_backend(strict_machine(count)));
    nn::Linear model(3, 2);
    model->load_state_dict(host->state_dict());
    model->to(gpu(0));
    DataParallel{model}(x).pow(2).sum().backward();
    expect_close(gradients(*model), gradients(*host));
  }
}

// test_data_parallel_model_no_refcycles: replicas and what they computed are gone afterwards.
TEST_F(DataParallelGradientsTest, NothingStaysOnOtherDevices) {
  auto free_on = [](DeviceIndex device) {
    cuda::synchronize(device);
    return cuda::mem_get_info(device).first;
  };
  nn::Linear model(3, 2);
  model->to(gpu(0));
  std::vector<std::int64_t> before = {free_on(1), free_on(2), free_on(3)};
  DataParallel net(model);
  net(randn({8, 3})).sum().backward();
  EXPECT_EQ(std::vector<std::int64_t>({free_on(1), free_on(2), free_on(3)}), before);
}

// Uses some of its parameters: all replicas, one, or none.
struct PartialImpl : nn::Module {
  Tensor used = register_parameter("used", ones({1}));
  Tensor once = register_parameter("once", ones({1}));
  Tensor unused = register_parameter("unused", full({2}, 4));
  Tensor forward(const Tensor& x) { return x.device().index() == 1 ? x * used * once : x * used; }
};
PLACECHECK_MODULE(Partial);

// A parameter without use has no gradient; one that a single replica used has that one's.
TEST_F(DataParallelGradientsTest, GradientsComeFromWhoUsedTheParameter) {
  Partial module;
  module->to(gpu(0));
  DataParallel(module, {0, 1})(full({4, 1}, 3)).sum().backward();
  EXPECT_EQ(module->used.grad().item<float>(), 12);
  EXPECT_EQ(module->once.grad().item<float>(), 6);
  EXPECT_EQ(module->once.grad().device(), gpu(0));
  EXPECT_FALSE(module->unused.grad().defined());
}

// One step with weight decay, by which PyTorch moves what was not used.
TEST_F(DataParallelGradientsTest, StrictCompatGivesZerosToWhatWasNotUsed) {
  Tensor x = full({4, 1}, 3);
  for (bool strict : {false, true}) {
    Partial module;
    module->to(gpu(0));
    DataParallel net(module, {0, 1}, {}, 0, {.strict_compat = strict});
    optim::SGD optimizer(module->parameters(), optim::SGDOptions(0.5).weight_decay(0.5));
    net(x).sum().backward();
    EXPECT_EQ(module->once.grad().item<float>(), 6) << "what was used is the same in both";
    ASSERT_EQ(module->unused.grad().defined(), strict);
    if (strict) {
      EXPECT_TRUE(equal(module->unused.grad(), zeros({2}, gpu(0))));
    }
    optimizer.step();
    EXPECT_EQ(module->unused[0].item<float>(), strict ? 3 : 4);
  }
  Partial module;
  module->to(gpu(0));
  nn::data_parallel(module, x, {0, 1}, {}, 0, {.strict_compat = true}).sum().backward();
  EXPECT_TRUE(module->unused.grad().defined()) << "the function has the switch, too";
}

TEST_F(DataParallelGradientsTest, SharedParametersStayShared) {
  struct Tied : nn::Module {
    Tied() {
      a = register_module("a", nn::Linear(3, 3));
      b = register_module("b", a);
    }
    Tensor forward(const Tensor& x) { return b(a(x)); }
    nn::Linear a{nullptr};
    nn::Linear b{nullptr};
  };
  auto bare = std::make_shared<Tied>();
  bare->to(gpu(0));
  Tensor x = randn({4, 3});
  bare->forward(x.to(gpu(0))).sum().backward();
  TensorList wanted = gradients(*bare);
  EXPECT_EQ(wanted.size(), 2u);
  EXPECT_EQ(bare->named_parameters().size(), 4u);
  bare->zero_grad();
  DataParallel(bare, {0, 1})(x).sum().backward();
  expect_close(gradients(*bare), wanted);
}

// test_data_parallel_rnn: one step of SGD gives the parameters that it gives the bare module.
struct RecurrentImpl : nn::Module {
  nn::LSTMCell cell = register_module("cell", nn::LSTMCell(6, 5));
  Tensor forward(const Tensor& x) {
    std::optional<nn::LSTMCellImpl::State> state;
    for (std::int64_t t = 0; t < x.size(1); ++t) state = cell(x.select(1, t), state);
    return state->first;
  }
};
PLACECHECK_MODULE(Recurrent);

TEST_F(DataParallelGradientsTest, TrainsAnLstmAsOneDeviceDoes) {
  Recurrent bare;
  Recurrent wrapped;
  wrapped->load_state_dict(bare->state_dict());
  bare->to(gpu(0));
  wrapped->to(gpu(0));
  Tensor x = randn({4, 4, 6});
  auto step = [&](const Tensor& output, nn::Module& module) {
    optim::SGD optimizer(module.parameters(), 10);
    output.sum().backward();
    optimizer.step();
  };
  step(bare(x.to(gpu(0))), *bare);
  DataParallel net(wrapped, {0, 1});
  step(net(x), *wrapped);
  expect_close(wrapped->parameters(), bare->parameters());
  NoGradGuard no_grad;
  EXPECT_NO_THROW(net(x)) << "#21108";
}

// test_data_parallel_function_deletion: a gradient penalty, through gradients of gradients.
TEST_F(DataParallelGradientsTest, DifferentiatesTwiceThroughReplicas) {
  nn::Linear bare(4, 1);
  {
    NoGradGuard no_grad;
    bare->weight.fill_(1);
    bare->bias.fill_(0);
  }
  bare->to(gpu(0));
  DataParallel net(bare, {0, 1});
  Tensor x = ones({6, 4}).requires_grad_();
  Tensor output = net(x);
  Tensor grad = autograd::grad({output.sum()}, {x}, {}, true, true)[0];
  Tensor penalty = (grad * grad).sum().mul(1.0 / 48);
  penalty.backward();
  EXPECT_TRUE(allclose(bare->weight.grad(), full({1, 4}, 0.25), 1e-6, 1e-6));
}

// test_data_parallel_buffers_requiring_grad
TEST_F(DataParallelGradientsTest, BuffersMayRequireGradients) {
  struct Buffered : nn::Module {
    explicit Buffered(const Tensor& value) : t(register_buffer("t", value)) {}
    Tensor t;
    Tensor forward(const Tensor& x) { return x * t + t; }
  };
  Tensor t = tensor({0.5, 0.25}, kDouble).to(gpu(0)).requires_grad_();
  expect_gradients(
      [](const TensorList& in) {
        return DataParallel(std::make_shared<Buffered>(in[1]), {0, 1})(in[0]);
      },
      {randn({4, 2}, kDouble).requires_grad_(), t});
}

TEST_F(DataParallelGradientsTest, RepeatedDevicesAreAllowed) {
  nn::Linear bare(3, 2);
  bare->to(gpu(0));
  Tensor x = randn({4, 3});
  Tensor expected = bare(x.to(gpu(0)));
  expected.sum().backward();
  TensorList wanted = gradients(*bare);
  bare->zero_grad();
  Tensor output = DataParallel(bare, {0, 0})(x);
  output.sum().backward();
  EXPECT_TRUE(allclose(output, expected, 1e-5, 1e-6));
  expect_close(gradients(*bare), wanted);
}

// Work that is done where it is given, and work that starts late on a stream's thread, give the
// same bits: on two devices, and on one device's stream that two replicas share.
TEST_F(DataParallelGradientsTest, WhenWorkStartsMakesNoDifference) {
  auto trained = [](std::uint64_t seed, const DeviceIds& ids) {
    VirtualOptions options = strict_machine(2);
    options.late_start_seed = seed;
    ScopedCudaBackend machine(make_virtual_backend(options));
    manual_seed(5);
    nn::Sequential model(nn::Linear(6, 40), nn::ReLU(), nn::Linear(40, 300), nn::Linear(300, 2));
    model->to(gpu(0));
    DataParallel net(model, ids);
    optim::SGD optimizer(model->parameters(), optim::SGDOptions(0.01).momentum(0.9));
    Tensor x = randn({64, 6});
    Tensor y = randn({64, 2}).to(gpu(0));
    for (int step = 0; step < 10; ++step) {
      optimizer.zero_grad();
      mse_loss(net(x), y).backward();
      optimizer.step();
    }
    std::vector<std::vector<float>> values;
    for (const Tensor& parameter : model->parameters()) {
      values.push_back(parameter.to_vector<float>());
    }
    return values;
  };
  for (const DeviceIds& ids : {DeviceIds{0, 1}, DeviceIds{0, 0}}) {
    EXPECT_EQ(trained(0, ids), trained(9, ids));
  }
}

}  // namespace
}  // namespace placecheck::runtime
