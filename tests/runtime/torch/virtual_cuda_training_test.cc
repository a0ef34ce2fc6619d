// Training on a virtual device gives the losses that the CPU gives.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace placecheck {
namespace {

using torch::Device;
using torch::Tensor;

const Device kGpu("cuda:1");

// Before CUDA is first used, which is when it is read.
const bool kDrawsFromCpu = setenv("PLACECHECK_TORCH_CPU_RANDOM", "1", 1) == 0;

struct Batch {
  Tensor x;
  Tensor y;
};

// A model with what it learns from. All of it is made on the CPU.
struct Task {
  std::shared_ptr<torch::nn::Module> module;
  std::function<Tensor(const Batch&)> loss;
  Batch batch;
};

using MakeOptimizer =
    std::function<std::unique_ptr<torch::optim::Optimizer>(const std::vector<Tensor>&)>;

std::vector<double> losses_on(Device device, const std::function<Task()>& make_task,
                              const MakeOptimizer& make_optimizer) {
  EXPECT_TRUE(kDrawsFromCpu);
  torch::manual_seed(7);
  Task task = make_task();
  task.module->to(device);
  const Batch batch{task.batch.x.to(device), task.batch.y.to(device)};
  const auto optimizer = make_optimizer(task.module->parameters());
  // Devices draw from the CPU's generator here: let both runs begin alike.
  torch::manual_seed(11);
  std::vector<double> losses;
  for (int step = 0; step < 8; ++step) {
    optimizer->zero_grad();
    const Tensor loss = task.loss(batch);
    EXPECT_EQ(loss.device(), device);
    loss.backward();
    optimizer->step();
    losses.push_back(loss.item<double>());
  }
  for (const Tensor& parameter : task.module->parameters()) {
    EXPECT_EQ(parameter.device(), device);
    EXPECT_EQ(parameter.grad().device(), device);
  }
  return losses;
}

void expect_equal_training(const std::function<Task()>& make_task,
                           const MakeOptimizer& make_optimizer) {
  const std::vector<double> on_cpu = losses_on(torch::kCPU, make_task, make_optimizer);
  const std::vector<double> on_gpu = losses_on(kGpu, make_task, make_optimizer);
  ASSERT_EQ(on_cpu.size(), on_gpu.size());
  for (std::size_t i = 0; i < on_cpu.size(); ++i) {
    EXPECT_NEAR(on_cpu[i], on_gpu[i], 1e-5 * std::abs(on_cpu[i])) << "step " << i;
  }
  EXPECT_NE(on_cpu.front(), on_cpu.back()) << "nothing was learnt";
}

std::unique_ptr<torch::optim::Optimizer> sgd(const std::vector<Tensor>& parameters) {
  return std::make_unique<torch::optim::SGD>(parameters,
                                             torch::optim::SGDOptions(0.05).momentum(0.9));
}

std::unique_ptr<torch::optim::Optimizer> adam(const std::vector<Tensor>& parameters) {
  return std::make_unique<torch::optim::Adam>(parameters, 1e-2);
}

Task perceptron() {
  torch::nn::Sequential net(torch::nn::Linear(6, 16),
                            torch::nn::LayerNorm(std::vector<int64_t>{16}), torch::nn::GELU(),
                            torch::nn::Linear(16, 1));
  return {
      net.ptr(),
      [net](const Batch& batch) mutable { return torch::mse_loss(net->forward(batch.x), batch.y); },
      {torch::randn({12, 6}), torch::randn({12, 1})}};
}

Task convolutional() {
  torch::nn::Sequential net(torch::nn::Conv2d(torch::nn::Conv2dOptions(2, 8, 3).padding(1)),
                            torch::nn::BatchNorm2d(8), torch::nn::ReLU(), torch::nn::MaxPool2d(2),
                            // Depthwise, for which CUDA builds have a kernel of their own.
                            torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 8, 3).groups(8)),
                            torch::nn::Dropout(0.4), torch::nn::Flatten(),
                            torch::nn::Linear(72, 5));
  return {net.ptr(),
          [net](const Batch& batch) mutable {
            return torch::nn::functional::cross_entropy(net->forward(batch.x), batch.y);
          },
          {torch::randn({6, 2, 10, 10}), torch::randint(0, 5, {6})}};
}

struct TaggerImpl : torch::nn::Module {
  TaggerImpl() {
    register_module("words", words);
    register_module("lstm", lstm);
    register_module("gru", gru);
    register_module("out", out);
  }
  Tensor forward(const Tensor& ids) {
    Tensor x = std::get<0>(lstm->forward(words->forward(ids)));
    x = std::get<0>(gru->forward(x));
    return out->forward(x);
  }
  torch::nn::Embedding words{20, 6};
  torch::nn::LSTM lstm{torch::nn::LSTMOptions(6, 8).num_layers(2).bidirectional(true).dropout(0.2)};
  torch::nn::GRU gru{16, 8};
  torch::nn::Linear out{8, 4};
};
TORCH_MODULE(Tagger);

Task recurrent() {
  Tagger net;
  return {net.ptr(),
          [net](const Batch& batch) mutable {
            return torch::nn::functional::cross_entropy(net->forward(batch.x).flatten(0, 1),
                                                        batch.y.flatten());
          },
          {torch::randint(0, 20, {7, 3}), torch::randint(0, 4, {7, 3})}};
}

Task transformer() {
  torch::nn::TransformerEncoderLayer layer(
      torch::nn::TransformerEncoderLayerOptions(8, 2).dim_feedforward(16).dropout(0.1));
  torch::nn::TransformerEncoder net(torch::nn::TransformerEncoderOptions(layer, 2));
  return {
      net.ptr(),
      [net](const Batch& batch) mutable { return torch::mse_loss(net->forward(batch.x), batch.y); },
      {torch::randn({5, 3, 8}), torch::randn({5, 3, 8})}};
}

TEST(VirtualCudaTraining, PerceptronWithSgd) { expect_equal_training(perceptron, sgd); }
TEST(VirtualCudaTraining, PerceptronWithAdam) { expect_equal_training(perceptron, adam); }
TEST(VirtualCudaTraining, ConvolutionalWithSgd) { expect_equal_training(convolutional, sgd); }
TEST(VirtualCudaTraining, ConvolutionalWithAdam) { expect_equal_training(convolutional, adam); }
TEST(VirtualCudaTraining, RecurrentWithAdam) { expect_equal_training(recurrent, adam); }
TEST(VirtualCudaTraining, TransformerWithAdam) { expect_equal_training(transformer, adam); }

TEST(VirtualCudaTraining, RmspropAndAdagradAndLbfgs) {
  expect_equal_training(perceptron, [](const std::vector<Tensor>& parameters) {
    return std::make_unique<torch::optim::RMSprop>(parameters, 1e-2);
  });
  expect_equal_training(perceptron, [](const std::vector<Tensor>& parameters) {
    return std::make_unique<torch::optim::Adagrad>(parameters, 1e-1);
  });
}

TEST(VirtualCudaTraining, GradientsCrossDevices) {
  const Tensor leaf = torch::ones({3}, torch::requires_grad());
  const Tensor there = leaf.to(Device("cuda:0")) * 3;
  const Tensor back = (there.to(kGpu) * 2).cpu();
  back.sum().backward();
  EXPECT_TRUE(leaf.grad().equal(torch::full({3}, 6.0)));
  EXPECT_TRUE(leaf.grad().device().is_cpu());
}

TEST(VirtualCudaTraining, BatchNormKeepsItsStatistics) {
  torch::nn::BatchNorm1d norm(4);
  norm->to(kGpu);
  const Tensor x = torch::randn({16, 4}) + 5;
  norm->forward(x.to(kGpu));
  EXPECT_TRUE(norm->running_mean.device() == kGpu);
  EXPECT_TRUE(torch::allclose(norm->running_mean.cpu(), x.mean(0) * 0.1, 1e-4, 1e-5));
  EXPECT_EQ(norm->num_batches_tracked.item<int64_t>(), 1);
}

TEST(VirtualCudaTraining, GradientsOfGradients) {
  const Tensor x =
      torch::full({2}, 3.0, torch::dtype(torch::kFloat).device(kGpu).requires_grad(true));
  const Tensor first = torch::autograd::grad({x.pow(3).sum()}, {x}, {}, true, true)[0];
  const Tensor second = torch::autograd::grad({first.sum()}, {x})[0];
  EXPECT_TRUE(second.equal(torch::full({2}, 18.0, torch::device(kGpu))));
}

}  // namespace
}  // namespace placecheck
