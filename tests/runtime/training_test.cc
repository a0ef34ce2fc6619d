// Optimizers against their formulas, loaders of data, and layers without gradients of their own.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/runtime.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

class TrainingTest : public MachineTest {};

// Steps over a parameter of one element with these gradients.
std::vector<double> steps(optim::Optimizer& optimizer, const Tensor& parameter,
                          const std::vector<double>& gradients) {
  std::vector<double> values;
  for (double gradient : gradients) {
    parameter.mutable_grad() = full({1}, gradient, parameter.options());
    optimizer.step();
    values.push_back(parameter.item<double>());
  }
  return values;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
}

Tensor parameter() { return ones({1}, TensorOptions(kDouble).device(gpu(1))).requires_grad_(); }

TEST_F(TrainingTest, SgdFollowsItsFormula) {
  Tensor plain = parameter();
  optim::SGD sgd({plain}, optim::SGDOptions(0.1).weight_decay(0.5));
  expect_near(steps(sgd, plain, {1, 2}), {0.85, 0.85 - 0.1 * (2 + 0.425)});
  Tensor heavy = parameter();
  optim::SGD momentum({heavy}, optim::SGDOptions(0.1).momentum(0.9));
  expect_near(steps(momentum, heavy, {1, 2}), {0.9, 0.9 - 0.1 * 2.9});
  Tensor nesterov = parameter();
  optim::SGD looking({nesterov}, optim::SGDOptions(0.1).momentum(0.9).nesterov(true));
  expect_near(steps(looking, nesterov, {1, 2}), {1 - 0.19, 1 - 0.19 - 0.1 * (2 + 0.9 * 2.9)});
}

TEST_F(TrainingTest, AdamFollowsItsFormula) {
  Tensor value = parameter();
  optim::Adam adam({value}, optim::AdamOptions(0.1));
  double first = 1 - 0.1 * 1 / (1 + 1e-8);
  double average = 0.9 * 0.1 + 0.1 * 3;
  double square = 0.999 * 0.001 + 0.001 * 9;
  double second = first - 0.1 / (1 - 0.81) * average /
                              (std::sqrt(square) / std::sqrt(1 - 0.999 * 0.999) + 1e-8);
  expect_near(steps(adam, value, {1, 3}), {first, second});
}

TEST_F(TrainingTest, OptimizersRefuseWhatTheyCannotUse) {
  Tensor value = parameter();
  EXPECT_EQ(error_of([&] { optim::SGD({value}, -0.5); }), "Invalid learning rate: -0.5");
  EXPECT_EQ(error_of([&] { optim::Adam({value}, optim::AdamOptions(-0.5)); }),
            "Invalid learning rate: -0.5");
  const std::string nesterov = "Nesterov momentum requires a momentum and zero dampening";
  EXPECT_EQ(error_of([&] { optim::SGD({value}, optim::SGDOptions(0.1).nesterov(true)); }),
            nesterov);
  EXPECT_EQ(error_of([&] {
              optim::SGD({value},
                         optim::SGDOptions(0.1).momentum(0.9).dampening(0.1).nesterov(true));
            }),
            nesterov);
}

TEST_F(TrainingTest, ParametersWithoutGradientsStay) {
  Tensor value = parameter();
  optim::SGD sgd({value}, 0.1);
  sgd.step();
  EXPECT_EQ(value.item<double>(), 1);
  EXPECT_THROW(optim::SGD({value}, -1), ValueError);
}

// Rows 0, 1, 2, ... with their number as target.
data::TensorDataset counted(std::int64_t rows) {
  return {arange(rows, kFloat).view({rows, 1}), arange(rows)};
}

std::vector<std::int64_t> order(const data::DataLoader& loader, std::vector<std::int64_t>* sizes) {
  std::vector<std::int64_t> seen;
  for (const data::Example& batch : loader) {
    for (std::int64_t target : batch.target.to_vector<std::int64_t>()) seen.push_back(target);
    if (sizes != nullptr) sizes->push_back(batch.data.size(0));
  }
  return seen;
}

TEST_F(TrainingTest, LoadersKeepTheOrderWhateverTheWorkers) {
  std::vector<std::int64_t> expected(10);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::int64_t>(i);
  for (std::size_t workers : {0u, 1u, 3u}) {
    std::vector<std::int64_t> sizes;
    data::DataLoader loader(counted(10), data::DataLoaderOptions(4).workers(workers));
    EXPECT_EQ(order(loader, &sizes), expected) << workers;
    EXPECT_EQ(sizes, std::vector<std::int64_t>({4, 4, 2}));
    EXPECT_EQ(loader.size(), 3u);
    EXPECT_EQ(order(loader, nullptr), expected) << "a second epoch";
  }
  data::DataLoader dropping(counted(10), data::DataLoaderOptions(4).drop_last(true).workers(2));
  EXPECT_EQ(order(dropping, nullptr).size(), 8u);
  EXPECT_EQ(dropping.size(), 2u);
}

TEST_F(TrainingTest, LoadersShuffleBySeed) {
  data::DataLoader loader(counted(32), data::DataLoaderOptions(8).shuffle(true).workers(2));
  manual_seed(9);
  auto first = order(loader, nullptr);
  auto second = order(loader, nullptr);
  manual_seed(9);
  EXPECT_EQ(order(loader, nullptr), first);
  EXPECT_NE(second, first);
  std::sort(first.begin(), first.end());
  EXPECT_EQ(first.front(), 0);
  EXPECT_EQ(first.back(), 31);
}

TEST_F(TrainingTest, LoadersRefuseWhatMakesNoBatches) {
  EXPECT_EQ(error_of([] { data::DataLoader(counted(4), data::DataLoaderOptions(0)); }),
            "batch_size should be a positive integer value, but got batch_size=0");
  EXPECT_EQ(error_of([] { data::TensorDataset(ones({3, 2}), ones({2})); }),
            "Size mismatch between tensors: 3 examples, 2 targets");
  data::DataLoader loader(counted(4), data::DataLoaderOptions(2));
  EXPECT_EQ(error_of([&] { *loader.end(); }), "there is no batch behind the last one");
}

TEST_F(TrainingTest, LoadersPinMemoryIfAsked) {
  data::DataLoader loader(counted(4), data::DataLoaderOptions(4).pin_memory(true));
  EXPECT_TRUE(loader.begin()->data.is_pinned());
}

TEST_F(TrainingTest, AnErrorInAWorkerArrivesWithItsBatch) {
  struct Broken : data::Dataset {
    std::size_t size() const override { return 6; }
    data::Example get(std::size_t index) const override {
      check<ValueError>(index != 3, "row ", index, " is broken");
      return {ones({1}), ones({1})};
    }
  };
  data::DataLoader loader(Broken(), data::DataLoaderOptions(2).workers(1));
  auto batch = loader.begin();
  try {
    ++batch;
    FAIL() << "row 3 was read";
  } catch (const ValueError& error) {
    EXPECT_STREQ(error.what(),
                 "Caught ValueError in DataLoader worker 0.\nOriginal Traceback (most recent call "
                 "last):\nValueError: row 3 is broken");
  }
  EXPECT_EQ((++batch)->data.size(0), 2) << "the batch behind it";
}

// A loop that ends early leaves its workers no work and no hang.
TEST_F(TrainingTest, AnEpochMayEndEarly) {
  data::DataLoader loader(counted(1000), data::DataLoaderOptions(2).workers(3));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(loader.begin()->data.size(0), 2);
}

TEST_F(TrainingTest, DropoutKeepsTheMean) {
  nn::Dropout layer(0.25);
  Tensor x = ones({20000}, gpu(0));
  Tensor y = layer(x);
  EXPECT_NEAR(y.mean().item<double>(), 1, 0.02);
  EXPECT_NEAR(y.eq(zeros({}, gpu(0))).sum().item<double>() / 20000, 0.25, 0.02);
  layer->eval();
  EXPECT_TRUE(layer(x).is_same(x));
}

TEST_F(TrainingTest, LayersRefuseWhatTheyCannotDivideBy) {
  Tensor image = ones({1, 1, 4, 4});
  EXPECT_EQ(error_of([&] { nn::MaxPool2d(0)(image); }),
            "kernel size should be greater than zero, but got kH: 0 kW: 0");
  auto convolved = [&](const Conv2dShape& shape) { conv2d(image, ones({1, 1, 2, 2}), {}, shape); };
  EXPECT_EQ(error_of([&] { convolved({{1, 0}, {0, 0}}); }), "non-positive stride is not supported");
  EXPECT_EQ(error_of([&] { convolved({{1, 1}, {0, -1}}); }), "negative padding is not supported");
  nn::BatchNorm1d nothing(0);
  nothing->eval();
  EXPECT_EQ(nothing(ones({4, 0})).sizes(), Shape({4, 0}));
  EXPECT_EQ(error_of([&] { image.permute({0, 1, 3, 3}); }),
            "permute(): duplicate dims are not allowed.");
}

TEST_F(TrainingTest, EvaluationUsesRunningStatistics) {
  nn::BatchNorm2d norm(2);
  Tensor x = randn({4, 2, 3, 3}).mul(3).add(1);
  for (int i = 0; i < 200; ++i) norm(x);
  Tensor trained = norm(x);
  norm->eval();
  EXPECT_TRUE(allclose(norm(x), trained, 2e-2, 2e-2));
  EXPECT_EQ(norm->num_batches_tracked.item<std::int64_t>(), 201);
}

TEST_F(TrainingTest, ModulesSwitchAndMoveAsTrees) {
  nn::Sequential net(nn::Linear(2, 2), nn::Sequential(nn::Dropout(0.5), nn::BatchNorm1d(2)));
  net->eval();
  EXPECT_FALSE((*net)[1]->children()[0]->is_training());
  net->to(gpu(3));
  for (const Tensor& tensor : net->parameters()) EXPECT_EQ(tensor.device(), gpu(3));
  for (const Tensor& tensor : net->buffers()) EXPECT_EQ(tensor.device(), gpu(3));
  net->to(kDouble);
  EXPECT_EQ(net->buffers().back().dtype(), kLong) << "integers stay";
  EXPECT_THROW(net->to(kLong), TypeError);
}

}  // namespace
}  // namespace placecheck::runtime
