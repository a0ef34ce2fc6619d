// What a training step is made of, in halves: layers, losses and optimizers against the same in
// float over the same values, on the CPU and on a device.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <sstream>

#include "runtime/backend/generator.h"
#include "runtime/nn/containers.h"
#include "runtime/nn/layers.h"
#include "runtime/optim/optimizer.h"
#include "runtime/parallel/data_parallel.h"
#include "runtime/serialization/archive.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

using Function = std::function<Tensor(const TensorList&)>;

// One rounding, to the nearest half; sums of floats may differ a little before it.
constexpr double kRounded = 1.01 / 2048;

class HalfTrainingTest : public MachineTest {
 protected:
  static std::vector<Device> places() { return {kCPU, gpu(1)}; }
  static Tensor halves(const Shape& sizes) { return randn(sizes).to(kHalf); }
};

// Leaves with the values of `inputs`, whose integers stay.
TensorList leaves(const TensorList& inputs, const Device& where, ScalarType type) {
  TensorList result;
  for (const Tensor& input : inputs) {
    bool is_number = is_floating(input.dtype());
    result.push_back(input.detach().to(where, is_number ? type : input.dtype()).clone());
    if (is_number) result.back().requires_grad_();
  }
  return result;
}

void expect_half_of(const Tensor& half, const Tensor& wide, double tolerance, const char* what) {
  EXPECT_EQ(half.dtype(), kHalf) << what;
  EXPECT_TRUE(allclose(half, wide, tolerance, 1e-6 + tolerance / 50)) << what << "\n"
                                                                      << half << "\n"
                                                                      << wide;
}

// The result is float's, rounded once; gradients may go through results that were rounded.
void expect_as_float(const TensorList& inputs, const Function& function,
                     double gradient_tolerance = kRounded) {
  for (const Device& where : {Device(kCPU), gpu(1)}) {
    TensorList narrow = leaves(inputs, where, kHalf);
    TensorList wide = leaves(inputs, where, kFloat);
    Tensor output = function(narrow);
    Tensor expected = function(wide);
    expect_half_of(output, expected, kRounded, "output");
    Tensor weights = randn(output.sizes(), where).to(kHalf);
    output.backward(weights);
    expected.backward(weights.to(kFloat));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!narrow[i].requires_grad()) continue;
      expect_half_of(narrow[i].grad(), wide[i].grad(), gradient_tolerance, "gradient");
    }
  }
}

TEST_F(HalfTrainingTest, Convolution) {
  TensorList inputs = {halves({3, 2, 7, 6}), halves({4, 2, 3, 2}), halves({4})};
  expect_as_float(inputs,
                  [](const TensorList& x) { return conv2d(x[0], x[1], x[2], {{2, 1}, {1, 0}}); });
  expect_as_float(inputs, [](const TensorList& x) { return conv2d(x[0], x[1], x[2]); });
}

// 3000 images with a gradient of one each: halves would stop at 2048.
TEST_F(HalfTrainingTest, ConvolutionSumsOverImagesInFloat) {
  Tensor input = ones({3000, 1, 1, 1}, kHalf);
  Tensor weight = ones({1, 1, 1, 1}, kHalf).requires_grad_();
  Tensor bias = zeros({1}, kHalf).requires_grad_();
  conv2d(input, weight, bias).backward(ones({3000, 1, 1, 1}, kHalf));
  EXPECT_EQ(weight.grad().item<float>(), 3000);
  EXPECT_EQ(bias.grad().item<float>(), 3000);
}

TEST_F(HalfTrainingTest, Pooling) {
  expect_as_float({halves({2, 3, 6, 5})}, [](const TensorList& x) { return max_pool2d(x[0], 2); });
}

TEST_F(HalfTrainingTest, BatchNormOfHalvesOnly) {
  for (bool is_training : {true, false}) {
    expect_as_float({halves({4, 3, 5, 2}), halves({3}), halves({3})}, [&](const TensorList& x) {
      BatchNormState state{full({3}, 0.25, x[0].options()), full({3}, 2, x[0].options())};
      return batch_norm(x[0], x[1], x[2], state, is_training, 0.1, 1e-5);
    });
  }
}

// As under mixed precision: the parameters, their gradients and the statistics are floats.
TEST_F(HalfTrainingTest, BatchNormWithParametersOfFloats) {
  for (const Device& where : places()) {
    nn::BatchNorm1d norm(3);
    nn::BatchNorm1d wide(3);
    norm->to(where);
    wide->to(where);
    Tensor input = (randn({16, 3}) * 2 + 1).to(where, kHalf);
    Tensor output = norm(input);
    expect_half_of(output, wide(input.to(kFloat)), kRounded, "training");
    Tensor weights = halves({16, 3}).to(where);
    output.backward(weights);
    wide(input.to(kFloat)).backward(weights.to(kFloat));
    EXPECT_EQ(norm->weight.grad().dtype(), kFloat);
    EXPECT_TRUE(allclose(norm->weight.grad(), wide->weight.grad(), 1e-5, 1e-5));
    EXPECT_TRUE(allclose(norm->bias.grad(), wide->bias.grad(), 1e-5, 1e-5));
    wide(input.to(kFloat));
    for (int step = 0; step < 2; ++step) norm(input);
    EXPECT_TRUE(allclose(norm->running_mean, wide->running_mean, 1e-6, 1e-6));
    EXPECT_TRUE(allclose(norm->running_var, wide->running_var, 1e-6, 1e-6));
    norm->eval();
    wide->eval();
    expect_half_of(norm(input), wide(input.to(kFloat)), kRounded, "evaluation");
  }
}

TEST_F(HalfTrainingTest, BatchNormKeepsStatisticsInHalves) {
  nn::BatchNorm2d norm(2);
  nn::BatchNorm2d wide(2);
  norm->to(kHalf);
  Tensor input = (halves({4, 2, 3, 3}) * 3 + 2).to(kHalf);
  norm(input);
  wide(input.to(kFloat));
  expect_half_of(norm->running_mean, wide->running_mean, kRounded, "mean");
  expect_half_of(norm->running_var, wide->running_var, kRounded, "variance");
  EXPECT_EQ(norm->num_batches_tracked.dtype(), kLong);
}

TEST_F(HalfTrainingTest, Embedding) {
  Tensor indices = tensor(std::vector<std::int64_t>{2, 0, 2, 3, 2});
  expect_as_float({halves({4, 3}), indices},
                  [](const TensorList& x) { return embedding(x[0], x[1], 3); });
  Tensor weight = ones({1, 1}, kHalf).requires_grad_();
  embedding(weight, zeros({3000}, kLong)).sum().backward();
  EXPECT_EQ(weight.grad().item<float>(), 3000) << "halves would stop at 2048";
}

TEST_F(HalfTrainingTest, LstmCell) {
  for (const Device& where : places()) {
    nn::LSTMCell cell(3, 4);
    nn::LSTMCell wide(3, 4);
    cell->to(kHalf);
    wide->load_state_dict(cell->state_dict());
    cell->to(where);
    wide->to(where);
    Tensor input = halves({5, 3}).to(where);
    auto state = cell(input, cell(input));
    auto expected = wide(input.to(kFloat), wide(input.to(kFloat)));
    expect_half_of(state.first, expected.first, 5e-3, "hidden");
    expect_half_of(state.second, expected.second, 5e-3, "cell");
    (state.first * state.second).sum().backward();
    (expected.first * expected.second).sum().backward();
    for (std::size_t i = 0; i < cell->parameters().size(); ++i) {
      const Tensor& grad = wide->parameters()[i].grad();
      EXPECT_EQ(cell->parameters()[i].grad().dtype(), kHalf);
      EXPECT_TRUE(allclose(cell->parameters()[i].grad(), grad, 2e-2, 5e-3));
    }
  }
}

// A seed drops the same elements, whatever the type.
TEST_F(HalfTrainingTest, Dropout) {
  expect_as_float({halves({40, 5})}, [](const TensorList& x) {
    manual_seed(3);
    return dropout(x[0], 0.3, true);
  });
}

TEST_F(HalfTrainingTest, Softmax) {
  Tensor logits = (halves({6, 9}) * 4).to(kHalf);
  expect_as_float({logits}, [](const TensorList& x) { return softmax(x[0], 1); }, 2e-2);
  expect_as_float({logits}, [](const TensorList& x) { return log_softmax(x[0], 0); }, 2e-2);
  Tensor far = (halves({4, 3}) * 3000).to(kHalf);
  expect_as_float({far}, [](const TensorList& x) { return log_softmax(x[0], 1); }, 2e-2);
}

TEST_F(HalfTrainingTest, Losses) {
  Tensor target = tensor(std::vector<std::int64_t>{0, 2, 1, kIgnoreIndex});
  expect_as_float(
      {halves({4, 3}), target}, [](const TensorList& x) { return nll_loss(x[0], x[1]); },
      2 * kRounded);
  expect_as_float({halves({4, 3}), target},
                  [](const TensorList& x) { return nll_loss(x[0], x[1], Reduction::kSum); });
  for (const Device& where : places()) {
    Tensor logits = halves({4, 3}).to(where).requires_grad_();
    Tensor wide = logits.detach().to(kFloat).requires_grad_();
    Tensor loss = cross_entropy(logits, target.to(where));
    Tensor expected = cross_entropy(wide, target.to(where));
    expect_half_of(loss, expected, 2e-3, "loss");
    loss.backward();
    expected.backward();
    expect_half_of(logits.grad(), wide.grad(), 5e-3, "gradient");
  }
}

// A scaled loss: what one of many rows counts is hardly a half, its gradient is.
TEST_F(HalfTrainingTest, LossesCountRowsInFloat) {
  const std::int64_t rows = 100000;
  Tensor input = full({rows, 1}, -1, kHalf).requires_grad_();
  Tensor loss = nll_loss(input, zeros({rows}, kLong));
  EXPECT_EQ(loss.item<float>(), 1);
  loss.backward(full({}, 1024, kHalf));
  EXPECT_EQ(input.grad()[7].item<float>(), float(Half(-1024.0F / rows)));
}

// As in PyTorch: what halves cannot hold is infinite, unless the target is float.
TEST_F(HalfTrainingTest, SquaredErrors) {
  Tensor input = halves({6, 5});
  Tensor loss = mse_loss(input, halves({6, 5}));
  EXPECT_EQ(loss.dtype(), kHalf);
  Tensor large = full({2}, 300, kHalf).requires_grad_();
  EXPECT_TRUE(std::isinf(mse_loss(large, zeros({2}, kHalf)).item<float>()));
  Tensor wide = mse_loss(large, zeros({2}));
  EXPECT_EQ(wide.dtype(), kFloat);
  EXPECT_EQ(wide.item<float>(), 90000);
  wide.backward();
  EXPECT_EQ(large.grad().dtype(), kHalf);
  EXPECT_EQ(large.grad()[0].item<float>(), 300);
}

TEST_F(HalfTrainingTest, SumsOverSeveralDimensionsAreRoundedOnce) {
  Tensor values = halves({9, 16, 11, 7});
  for (const Shape& sizes : {Shape({16, 1, 1}), Shape({1, 16, 1, 7}), Shape({7})}) {
    Tensor sum = sum_to(values, sizes);
    EXPECT_TRUE(equal(sum, sum_to(values.to(kFloat), sizes).to(kHalf))) << sizes;
  }
}

// One step of a parameter in halves is that in float, rounded.
void expect_steps(const std::function<void(const Tensor&)>& step) {
  for (const Device& where : {Device(kCPU), gpu(1)}) {
    Tensor value = randn({100}, where).to(kHalf);
    Tensor grad = randn({100}, where).to(kHalf);
    auto stepped = [&](ScalarType type) {
      Tensor parameter = value.to(type).clone().requires_grad_();
      parameter.mutable_grad() = grad.to(type);
      step(parameter);
      return parameter.detach();
    };
    EXPECT_FALSE(equal(stepped(kHalf), value));
    expect_half_of(stepped(kHalf), stepped(kFloat), kRounded, "step");
  }
}

TEST_F(HalfTrainingTest, OptimizersStepInFloat) {
  expect_steps([](const Tensor& parameter) {
    optim::SGD({parameter}, optim::SGDOptions(0.1).weight_decay(0.01)).step();
  });
  expect_steps([](const Tensor& parameter) {
    auto options = optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.01).nesterov(true);
    optim::SGD({parameter}, options).step();
  });
  expect_steps([](const Tensor& parameter) {
    optim::Adam({parameter}, optim::AdamOptions(0.1).weight_decay(0.01)).step();
  });
}

// 1e-8 is no half; in float, it keeps a gradient of zero from 0 / 0.
TEST_F(HalfTrainingTest, AdamLeavesParametersWithoutSlope) {
  Tensor parameter = ones({2}, kHalf).requires_grad_();
  parameter.mutable_grad() = zeros({2}, kHalf);
  optim::Adam({parameter}).step();
  EXPECT_TRUE(equal(parameter, ones({2}, kHalf)));
}

nn::Sequential small_cnn() {
  return nn::Sequential(nn::Conv2d(1, 6, 3), nn::BatchNorm2d(6), nn::ReLU(), nn::MaxPool2d(2),
                        nn::Flatten(), nn::Linear(54, 4));
}

// Noise with one bright quarter, and which one it is.
std::pair<Tensor, Tensor> quarters(std::int64_t count) {
  Tensor images = randn({count, 1, 8, 8}) * 0.5;
  Tensor which = randint(0, 4, {count});
  std::vector<std::int64_t> quarter = which.to_vector<std::int64_t>();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t here = quarter[static_cast<std::size_t>(i)];
    images[i].narrow(1, here / 2 * 4, 4).narrow(2, here % 2 * 4, 4).add_(1);
  }
  return {images, which};
}

// The loss after each step.
std::vector<double> train_cnn(ScalarType type, const nn::DeviceIds& devices, bool with_adam) {
  manual_seed(11);
  auto [images, which] = quarters(32);
  nn::Sequential model = small_cnn();
  model->to(gpu(0), type);
  nn::DataParallel net(model, devices);
  optim::SGD sgd(model->parameters(), optim::SGDOptions(0.05).momentum(0.9));
  optim::Adam adam(model->parameters(), optim::AdamOptions(0.01).eps(1e-4));
  optim::Optimizer& optimizer = with_adam ? static_cast<optim::Optimizer&>(adam) : sgd;
  std::vector<double> losses;
  for (int step = 0; step < 20; ++step) {
    Tensor loss = cross_entropy(net(images.to(type)), which.to(gpu(0)));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    losses.push_back(loss.item<double>());
  }
  for (const Tensor& parameter : model->parameters()) EXPECT_EQ(parameter.dtype(), type);
  return losses;
}

void expect_cnn_learns(const nn::DeviceIds& devices, bool with_adam) {
  std::vector<double> half = train_cnn(kHalf, devices, with_adam);
  std::vector<double> wide = train_cnn(kFloat, devices, with_adam);
  EXPECT_GT(wide.front(), 1);
  EXPECT_LT(wide.back(), 0.1);
  EXPECT_NEAR(half.front(), wide.front(), 0.01 * wide.front());
  EXPECT_NEAR(half[5], wide[5], 0.1 * wide[5]);
  EXPECT_NEAR(half.back(), wide.back(), 0.02);
}

TEST_F(HalfTrainingTest, ACnnLearnsAsInFloat) {
  expect_cnn_learns({0}, false);
  expect_cnn_learns({0, 1}, false);
  expect_cnn_learns({0, 1}, true);
}

TEST_F(HalfTrainingTest, StatesAreSavedInHalves) {
  nn::Sequential saved = small_cnn();
  saved->to(kHalf);
  saved->to(gpu(1));
  std::stringstream file;
  save(saved->state_dict(), file);
  nn::StateDict state = load(file, "cpu");
  EXPECT_EQ(state["0.weight"].dtype(), kHalf);
  EXPECT_TRUE(equal(state["0.weight"], saved->state_dict()["0.weight"].cpu()));
  nn::Sequential wide = small_cnn();
  wide->load_state_dict(state);
  EXPECT_EQ(wide->parameters()[0].dtype(), kFloat) << "the type is the model's";
  EXPECT_TRUE(equal(wide->parameters()[0], state["0.weight"].to(kFloat)));
}

TEST_F(HalfTrainingTest, TypesThatDoNotMeet) {
  Tensor image = ones({1, 1, 3, 3});
  Tensor kernel = ones({1, 1, 2, 2});
  EXPECT_EQ(error_of([&] { conv2d(image, kernel.to(kHalf), ones({1}, kHalf)); }),
            "Input type (float) and bias type (c10::Half) should be the same");
  EXPECT_EQ(error_of([&] { conv2d(image.to(gpu(0), kHalf), kernel.to(gpu(0))); }),
            "Input type (CUDAHalfType) and weight type (CUDAFloatType) should be the same");
  EXPECT_EQ(error_of([&] { conv2d(image, kernel.to(kHalf)); }),
            "Input type (CPUFloatType) and weight type (CPUHalfType) should be the same or input "
            "should be a MKLDNN tensor and weight is a dense tensor");
  auto norm = [](const Device& where, ScalarType input, ScalarType parameter) {
    Tensor one = ones({3}, TensorOptions(parameter).device(where));
    batch_norm(ones({2, 3}, where).to(input), one, one, {one, one}, true, 0.1, 1e-5);
  };
  EXPECT_EQ(error_of([&] { norm(kCPU, kFloat, kHalf); }),
            "mixed dtype (CPU): expect parameter to have scalar type of Float");
  EXPECT_EQ(error_of([&] { norm(gpu(0), kFloat, kHalf); }),
            "expected scalar type Float but found Half");
  EXPECT_EQ(error_of([] { linear(ones({2, 3}, kHalf), ones({4, 3}, kHalf), ones({4})); }),
            "self and mat2 must have the same dtype, but got Float and Half");
}

}  // namespace
}  // namespace placecheck::runtime
