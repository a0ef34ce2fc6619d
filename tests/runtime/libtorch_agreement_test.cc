// The same layers, losses and optimizers in libtorch, on the CPU: equal outputs, gradients and
// steps.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <vector>

#include "runtime/runtime.h"

namespace placecheck::runtime {
namespace {

torch::Tensor theirs(const Tensor& tensor) {
  std::vector<std::int64_t> sizes(tensor.sizes().begin(), tensor.sizes().end());
  auto type = tensor.dtype() == kLong ? torch::kInt64 : torch::kFloat64;
  Tensor host = tensor.detach().contiguous();
  return torch::from_blob(host.data_ptr(), sizes, type).clone();
}

void expect_equal(const Tensor& ours, const torch::Tensor& expected, const char* what) {
  ASSERT_TRUE(ours.defined() && expected.defined()) << what;
  torch::Tensor mine = theirs(ours);
  ASSERT_EQ(mine.sizes(), expected.sizes()) << what;
  EXPECT_TRUE(torch::allclose(mine, expected.detach(), 1e-9, 1e-10)) << what << "\n"
                                                                     << mine << "\n"
                                                                     << expected;
}

using OurFunction = std::function<Tensor(const TensorList&)>;
using TheirFunction = std::function<torch::Tensor(const std::vector<torch::Tensor>&)>;

// Outputs, and the gradients of their weighted sum.
void expect_agreement(const std::vector<Shape>& inputs, const OurFunction& ours,
                      const TheirFunction& reference) {
  TensorList own;
  std::vector<torch::Tensor> others;
  for (const Shape& sizes : inputs) {
    own.push_back(randn(sizes, kDouble).requires_grad_());
    others.push_back(theirs(own.back()).requires_grad_());
  }
  Tensor output = ours(own);
  torch::Tensor expected = reference(others);
  expect_equal(output, expected, "output");
  Tensor weights = randn(output.sizes(), kDouble);
  output.backward(weights);
  expected.backward(theirs(weights));
  for (std::size_t i = 0; i < own.size(); ++i) {
    expect_equal(own[i].grad(), others[i].grad(), "gradient");
  }
}

TEST(LibtorchAgreementTest, Linear) {
  expect_agreement(
      {{4, 3}, {5, 3}, {5}}, [](const TensorList& x) { return linear(x[0], x[1], x[2]).relu(); },
      [](const auto& x) { return torch::linear(x[0], x[1], x[2]).relu(); });
}

TEST(LibtorchAgreementTest, Convolution) {
  expect_agreement(
      {{2, 3, 7, 6}, {4, 3, 3, 2}, {4}},
      [](const TensorList& x) { return conv2d(x[0], x[1], x[2], {{2, 1}, {1, 0}}); },
      [](const auto& x) {
        return torch::conv2d(x[0], x[1], x[2], at::IntArrayRef{2, 1}, at::IntArrayRef{1, 0});
      });
  // Windows that lie beside the image altogether.
  expect_agreement(
      {{2, 3, 4, 5}, {4, 3, 2, 2}, {4}},
      [](const TensorList& x) { return conv2d(x[0], x[1], x[2], {{1, 2}, {0, 4}}); },
      [](const auto& x) {
        return torch::conv2d(x[0], x[1], x[2], at::IntArrayRef{1, 2}, at::IntArrayRef{0, 4});
      });
  expect_agreement(
      {{2, 3, 7, 6}}, [](const TensorList& x) { return max_pool2d(x[0], 2); },
      [](const auto& x) { return torch::max_pool2d(x[0], 2); });
}

TEST(LibtorchAgreementTest, BatchNorm) {
  for (bool training : {true, false}) {
    Tensor mean = randn({3}, kDouble);
    Tensor var = rand({3}, kDouble).add(0.5);
    torch::Tensor their_mean = theirs(mean);
    torch::Tensor their_var = theirs(var);
    expect_agreement(
        {{4, 3, 2, 2}, {3}, {3}},
        [&](const TensorList& x) {
          return batch_norm(x[0], x[1], x[2], {mean, var}, training, 0.1, 1e-5);
        },
        [&](const auto& x) {
          return torch::batch_norm(x[0], x[1], x[2], their_mean, their_var, training, 0.1, 1e-5,
                                   false);
        });
    expect_equal(mean, their_mean, "running mean");
    expect_equal(var, their_var, "running variance");
  }
}

TEST(LibtorchAgreementTest, Losses) {
  Tensor target = tensor(std::vector<std::int64_t>{2, 0, kIgnoreIndex, 1});
  torch::Tensor their_target = theirs(target);
  expect_agreement(
      {{4, 3}}, [&](const TensorList& x) { return cross_entropy(x[0], target); },
      [&](const auto& x) { return torch::cross_entropy_loss(x[0], their_target); });
  expect_agreement(
      {{4, 3}, {4, 3}}, [](const TensorList& x) { return mse_loss(x[0], x[1]); },
      [](const auto& x) { return torch::mse_loss(x[0], x[1]); });
  expect_agreement(
      {{2, 3, 4}}, [](const TensorList& x) { return x[0].softmax(1); },
      [](const auto& x) { return torch::softmax(x[0], 1); });
}

TEST(LibtorchAgreementTest, Embedding) {
  Tensor indices = tensor(std::vector<std::int64_t>{2, 0, 2, 3});
  torch::Tensor their_indices = theirs(indices);
  expect_agreement(
      {{4, 3}}, [&](const TensorList& x) { return embedding(x[0], indices); },
      [&](const auto& x) { return torch::embedding(x[0], their_indices); });
}

TEST(LibtorchAgreementTest, LstmCell) {
  nn::LSTMCell cell(3, 2);
  cell->to(kDouble);
  expect_agreement(
      {{4, 3}, {4, 2}, {4, 2}},
      [&](const TensorList& x) {
        auto [hidden, state] = cell(x[0], nn::LSTMCellImpl::State(x[1], x[2]));
        return cat({hidden, state}, 1);
      },
      [&](const auto& x) {
        auto [hidden, state] =
            torch::lstm_cell(x[0], {x[1], x[2]}, theirs(cell->weight_ih), theirs(cell->weight_hh),
                             theirs(cell->bias_ih), theirs(cell->bias_hh));
        return torch::cat({hidden, state}, 1);
      });
}

// Both take the same steps on the same problem.
template <typename OurOptimizer, typename TheirOptimizer>
void expect_same_steps(const OurOptimizer& make_ours, const TheirOptimizer& make_theirs) {
  Tensor weight = randn({3, 4}, kDouble).requires_grad_();
  torch::Tensor their_weight = theirs(weight).requires_grad_();
  auto ours = make_ours(weight);
  auto other = make_theirs(their_weight);
  for (int step = 0; step < 5; ++step) {
    Tensor x = randn({6, 4}, kDouble);
    ours->zero_grad();
    linear(x, weight).relu().sum().backward();
    ours->step();
    other->zero_grad();
    torch::linear(theirs(x), their_weight).relu().sum().backward();
    other->step();
    expect_equal(weight, their_weight, "weight");
  }
}

using TheirParameters = std::vector<torch::Tensor>;

TEST(LibtorchAgreementTest, Sgd) {
  expect_same_steps(
      [](const Tensor& weight) {
        return std::make_unique<optim::SGD>(
            TensorList{weight},
            optim::SGDOptions(0.1).momentum(0.9).dampening(0.2).weight_decay(0.01));
      },
      [](const torch::Tensor& weight) {
        return std::make_unique<torch::optim::SGD>(
            TheirParameters{weight},
            torch::optim::SGDOptions(0.1).momentum(0.9).dampening(0.2).weight_decay(0.01));
      });
}

TEST(LibtorchAgreementTest, Adam) {
  expect_same_steps(
      [](const Tensor& weight) {
        return std::make_unique<optim::Adam>(TensorList{weight},
                                             optim::AdamOptions(0.05).weight_decay(0.01));
      },
      [](const torch::Tensor& weight) {
        return std::make_unique<torch::optim::Adam>(
            TheirParameters{weight}, torch::optim::AdamOptions(0.05).weight_decay(0.01));
      });
}

// The state dict's complaint about archives aside, names are libtorch's.
TEST(LibtorchAgreementTest, NamesOfParameters) {
  struct OurNet : nn::Module {
    nn::Linear fc = register_module("fc", nn::Linear(2, 2));
    nn::BatchNorm1d bn = register_module("bn", nn::BatchNorm1d(2));
  };
  struct TheirNet : torch::nn::Module {
    torch::nn::Linear fc = register_module("fc", torch::nn::Linear(2, 2));
    torch::nn::BatchNorm1d bn = register_module("bn", torch::nn::BatchNorm1d(2));
  };
  EXPECT_EQ(OurNet().named_parameters().keys(), TheirNet().named_parameters().keys());
  EXPECT_EQ(OurNet().named_buffers().keys(), TheirNet().named_buffers().keys());
}

}  // namespace
}  // namespace placecheck::runtime
