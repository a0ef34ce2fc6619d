// Gradients: every operation against finite differences, and the rules of the graph.
#include <gtest/gtest.h>

#include "runtime/autograd/engine.h"
#include "runtime/autograd/node.h"
#include "runtime/backend/generator.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

using Function = std::function<Tensor(const TensorList&)>;

struct Case {
  std::string name;
  Function function;
  std::vector<Shape> inputs;
  bool is_positive = false;
};

Tensor classes() { return tensor(std::vector<std::int64_t>{2, 0, kIgnoreIndex, 1}); }

Tensor to_place(const Tensor& constant, const Tensor& beside) {
  return constant.to(beside.device());
}

Tensor normalised(const TensorList& x, bool is_training) {
  Tensor mean = to_place(full({3}, 0.1, kDouble), x[0]);
  Tensor var = to_place(full({3}, 0.7, kDouble), x[0]);
  return batch_norm(x[0], x[1], x[2], {mean, var}, is_training, 0.1, 1e-5);
}

std::vector<Case> cases() {
  return {
      {"add", [](const TensorList& x) { return x[0] + x[1]; }, {{2, 3}, {3}}},
      {"sub", [](const TensorList& x) { return x[0] - x[1]; }, {{3}, {2, 3}}},
      {"mul", [](const TensorList& x) { return x[0] * x[1]; }, {{2, 1}, {2, 3}}},
      {"div", [](const TensorList& x) { return x[0] / x[1]; }, {{2, 3}, {2, 3}}, true},
      {"numbers", [](const TensorList& x) { return 2.0 / (1.5 - x[0] * 0.5) + 1; }, {{4}}},
      {"pow", [](const TensorList& x) { return x[0].pow(3); }, {{4}}},
      {"exp", [](const TensorList& x) { return x[0].exp(); }, {{4}}},
      {"log", [](const TensorList& x) { return x[0].log(); }, {{4}}, true},
      {"sqrt", [](const TensorList& x) { return x[0].sqrt(); }, {{4}}, true},
      {"abs", [](const TensorList& x) { return x[0].abs(); }, {{4}}},
      {"relu", [](const TensorList& x) { return x[0].relu(); }, {{2, 4}}},
      {"sigmoid", [](const TensorList& x) { return x[0].sigmoid(); }, {{4}}},
      {"tanh", [](const TensorList& x) { return x[0].tanh(); }, {{4}}},
      {"sum", [](const TensorList& x) { return x[0].sum(); }, {{2, 3}}},
      {"sum_dim", [](const TensorList& x) { return x[0].sum(1); }, {{2, 3, 2}}},
      {"mean", [](const TensorList& x) { return x[0].mean(); }, {{2, 3}}},
      {"mean_dim", [](const TensorList& x) { return x[0].mean(0, true); }, {{2, 3}}},
      {"mm", [](const TensorList& x) { return x[0].mm(x[1]); }, {{2, 3}, {3, 4}}},
      {"mm_transposed",
       [](const TensorList& x) { return x[0].t().mm(x[1].t()); },
       {{3, 2}, {4, 3}}},
      {"linear",
       [](const TensorList& x) { return linear(x[0], x[1], x[2]); },
       {{2, 3, 4}, {5, 4}, {5}}},
      {"view",
       [](const TensorList& x) { return x[0].view({3, -1}).mul(x[0].reshape({3, 2})); },
       {{2, 3}}},
      {"permute", [](const TensorList& x) { return x[0].permute({2, 0, 1}).exp(); }, {{2, 3, 2}}},
      {"expand", [](const TensorList& x) { return x[0].unsqueeze(0).expand({3, 4}); }, {{4}}},
      {"narrow",
       [](const TensorList& x) { return x[0].narrow(1, 1, 2) * x[0].select(0, 1)[0]; },
       {{2, 3}}},
      {"chunk",
       [](const TensorList& x) {
         auto parts = x[0].chunk(2, 1);
         return parts[0].exp().sum() + parts[1].sum();
       },
       {{2, 3}}},
      {"cat", [](const TensorList& x) { return cat({x[0], x[1], x[0]}, 1); }, {{2, 3}, {2, 1}}},
      {"stack", [](const TensorList& x) { return stack({x[0], x[1]}, 1); }, {{3}, {3}}},
      {"softmax", [](const TensorList& x) { return x[0].softmax(0); }, {{3, 2}}},
      {"log_softmax", [](const TensorList& x) { return x[0].log_softmax(1); }, {{2, 4}}},
      {"cross_entropy",
       [](const TensorList& x) { return cross_entropy(x[0], to_place(classes(), x[0])); },
       {{4, 3}}},
      {"nll_sum",
       [](const TensorList& x) {
         return nll_loss(x[0], to_place(classes(), x[0]), Reduction::kSum);
       },
       {{4, 3}}},
      {"mse", [](const TensorList& x) { return mse_loss(x[0], x[1]); }, {{2, 3}, {2, 3}}},
      {"embedding",
       [](const TensorList& x) { return embedding(x[0], to_place(arange(3), x[0])); },
       {{4, 2}}},
      {"conv2d",
       [](const TensorList& x) { return conv2d(x[0], x[1], x[2], {{2, 1}, {1, 2}}); },
       {{2, 2, 5, 4}, {3, 2, 3, 2}, {3}}},
      {"max_pool2d", [](const TensorList& x) { return max_pool2d(x[0], 2); }, {{1, 2, 5, 4}}},
      {"batch_norm_train",
       [](const TensorList& x) { return normalised(x, true); },
       {{4, 3, 2}, {3}, {3}}},
      {"batch_norm_eval",
       [](const TensorList& x) { return normalised(x, false); },
       {{4, 3}, {3}, {3}}},
      {"dropout",
       [](const TensorList& x) {
         seed_generator(x[0].device(), 3);
         return dropout(x[0], 0.4, true);
       },
       {{5, 2}}},
      {"in_place",
       [](const TensorList& x) {
         Tensor target = x[0].clone();
         target.add_(x[1]).mul_(2);
         return target * x[0].exp();
       },
       {{2, 3}, {3}}},
  };
}

class GradientTest : public MachineTest, public testing::WithParamInterface<std::size_t> {
 protected:
  static TensorList inputs_of(const Case& each, const Device& device) {
    TensorList inputs;
    for (const Shape& sizes : each.inputs) {
      Tensor input = each.is_positive ? rand(sizes, kDouble).add(0.5) : randn(sizes, kDouble);
      inputs.push_back(input.to(device).requires_grad_());
    }
    return inputs;
  }
};

TEST_P(GradientTest, IsThatOfFiniteDifferences) {
  Case each = cases()[GetParam()];
  expect_gradients(each.function, inputs_of(each, kCPU));
}

TEST_P(GradientTest, IsTheSameOnADevice) {
  Case each = cases()[GetParam()];
  TensorList host = inputs_of(each, kCPU);
  TensorList device;
  for (const Tensor& input : host) device.push_back(input.detach().to(gpu(1)).requires_grad_());
  each.function(host).sum().backward();
  each.function(device).sum().backward();
  for (std::size_t i = 0; i < host.size(); ++i) {
    EXPECT_EQ(device[i].grad().device(), gpu(1));
    EXPECT_TRUE(equal(device[i].grad().cpu(), host[i].grad())) << "input " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, GradientTest, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& info) { return cases()[info.param].name; });

class AutogradTest : public MachineTest {};

TEST_F(AutogradTest, AccumulatesInLeaves) {
  Tensor x = ones({2}).requires_grad_();
  (x * 3).sum().backward();
  (x * 4).sum().backward();
  EXPECT_TRUE(equal(x.grad(), full({2}, 7)));
}

TEST_F(AutogradTest, DifferentiatesTwice) {
  Tensor x = tensor({0.5, -1.5}, kDouble).requires_grad_();
  Tensor y = (x.pow(3) + x.sigmoid() + x.tanh() * x.exp()).sum();
  Tensor first = autograd::grad({y}, {x}, {}, true, true)[0];
  expect_gradients(
      [](const TensorList& in) {
        AutoGradMode grad_mode(true);
        Tensor at = in[0].requires_grad() ? in[0] : in[0].detach().requires_grad_();
        Tensor value = (at.pow(3) + at.sigmoid() + at.tanh() * at.exp()).sum();
        return autograd::grad({value}, {at}, {}, true, true)[0];
      },
      {x});
  EXPECT_TRUE(first.requires_grad());
}

TEST_F(AutogradTest, SaysWhatIsWrong) {
  Tensor x = ones({2}).requires_grad_();
  EXPECT_EQ(error_of([&] { (x * 2).backward(); }),
            "grad can be implicitly created only for scalar outputs");
  EXPECT_EQ(error_of([&] { ones({1}).backward(); }),
            "element 0 of tensors does not require grad and does not have a grad_fn");
  Tensor y = (x * x).sum();
  y.backward();
  EXPECT_TRUE(error_of([&] {
                y.backward();
              }).starts_with("Trying to backward through the graph a second time"));
  EXPECT_EQ(error_of([&] { x.add_(1); }),
            "a leaf Variable that requires grad is being used in an in-place operation.");
  Tensor z = x.exp();
  Tensor loss = z.sum();
  z.add_(1);
  EXPECT_TRUE(error_of([&] { loss.backward(); })
                  .starts_with("one of the variables needed for gradient computation has been "
                               "modified by an inplace operation: [CPUFloatType [2]] is at version "
                               "1; expected version 0 instead."));
}

TEST_F(AutogradTest, RefusesGradientsFromElsewhere) {
  Tensor x = ones({2}, gpu(0)).requires_grad_();
  auto misplaced = [&](const Tensor& grad) {
    NoGradGuard no_grad;
    Tensor y = x.clone();
    autograd::record("Strange", {y}, {x}, [grad](autograd::Pass& pass) { pass.give(0, grad); });
    return y;
  };
  EXPECT_EQ(error_of([&] { misplaced(ones({2}, gpu(1))).backward(ones({2}, gpu(0))); }),
            "Function Strange returned an invalid gradient at index 0 - expected device cuda:0 but "
            "got cuda:1");
  EXPECT_EQ(error_of([&] { misplaced(ones({3}, gpu(0))).backward(ones({2}, gpu(0))); }),
            "Function Strange returned an invalid gradient at index 0 - got [3] but expected shape "
            "compatible with [2]");
}

TEST_F(AutogradTest, StaysOutOfTheGraphWhereAsked) {
  Tensor x = ones({2}).requires_grad_();
  {
    NoGradGuard no_grad;
    EXPECT_FALSE((x * 2).requires_grad());
  }
  EXPECT_FALSE(x.detach().requires_grad());
  EXPECT_TRUE((x * 2).requires_grad());
}

TEST_F(AutogradTest, ALongChainIsFreedWithoutRecursion) {
  Tensor x = ones({1}).requires_grad_();
  Tensor y = x;
  for (int i = 0; i < 200000; ++i) y = y + 1;
  y = Tensor();
  EXPECT_FALSE(x.grad().defined());
}

}  // namespace
}  // namespace placecheck::runtime
