// Where DataParallel runs and where its module must be, against PyTorch's own cases
// (test_data_parallel.py) and those that it lacks. Names follow theirs.
#include "runtime/parallel/data_parallel.h"

#include <gtest/gtest.h>

#include "runtime/nn/containers.h"
#include "runtime/nn/layers.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

using nn::DataParallel;
using nn::DeviceIds;

class DataParallelTest : public MachineTest {};

struct DoubleLinearImpl : nn::Module {
  explicit DoubleLinearImpl(std::int64_t in = 10, std::int64_t out = 5)
      : fc(register_module("fc", nn::Linear(in, out))) {}
  Tensor forward(const Tensor& x) { return fc(x).relu(); }
  nn::Linear fc;
};
PLACECHECK_MODULE(DoubleLinear);

std::string placement_error(const char* first, const char* found) {
  return std::string("module must have its parameters and buffers on device ") + first +
         " (device_ids[0]) but found one of them on device: " + found;
}

// test_data_parallel_model_device: the placement matrix, through the class and through the
// function.
struct Placing {
  std::vector<int> ids;  // empty: none given
  std::string error;     // "": none
};

class PlacementTest : public DataParallelTest {
 protected:
  template <typename Holder>
  void expect(const Holder& module, const std::vector<Placing>& cases) {
    Tensor input = randn({2, 10}, gpu(0));
    for (const Placing& each : cases) {
      DeviceIds ids = each.ids.empty() ? DeviceIds() : DeviceIds(each.ids);
      auto through_class = [&] { DataParallel(module, ids)(input); };
      auto through_function = [&] { nn::data_parallel(module, input, ids); };
      if (each.error.empty()) {
        EXPECT_NO_THROW(through_class());
        EXPECT_NO_THROW(through_function());
      } else {
        EXPECT_EQ(error_of(through_class), each.error);
        EXPECT_EQ(error_of(through_function), each.error);
        EXPECT_EQ(rule_of(through_class), "data-parallel-placement");
      }
    }
  }
};

TEST_F(PlacementTest, AModuleOnTheCpu) {
  expect(nn::Linear(10, 5), {{{}, placement_error("cuda:0", "cpu")},
                             {{0, 1}, placement_error("cuda:0", "cpu")},
                             {{1, 0}, placement_error("cuda:1", "cpu")}});
}

TEST_F(PlacementTest, AModuleOnOneDevice) {
  nn::Linear on_zero(10, 5);
  on_zero->to(gpu(0));
  expect(on_zero, {{{}, ""}, {{0, 1}, ""}, {{1, 0}, placement_error("cuda:1", "cuda:0")}});
  nn::Linear on_one(10, 5);
  on_one->to(gpu(1));
  expect(on_one, {{{}, placement_error("cuda:0", "cuda:1")},
                  {{0, 1}, placement_error("cuda:0", "cuda:1")},
                  {{1, 0}, ""}});
}

TEST_F(PlacementTest, AModuleOfTwoPlaces) {
  nn::Sequential mixed(nn::Linear(10, 5), nn::Linear(5, 5));
  (*mixed)[0]->to(gpu(0));
  expect(mixed, {{{}, placement_error("cuda:0", "cpu")},
                 {{0, 1}, placement_error("cuda:0", "cpu")},
                 {{1, 0}, placement_error("cuda:1", "cuda:0")}});
  (*mixed)[1]->to(gpu(1));
  expect(mixed, {{{}, placement_error("cuda:0", "cuda:1")},
                 {{0, 1}, placement_error("cuda:0", "cuda:1")},
                 {{1, 0}, placement_error("cuda:1", "cuda:0")}});
}

TEST_F(PlacementTest, BuffersCountAfterParameters) {
  nn::BatchNorm1d norm(10);
  norm->to(gpu(0));
  norm->running_var.set_data(norm->running_var.to(gpu(2)));
  expect(norm, {{{0, 1}, placement_error("cuda:0", "cuda:2")}});
}

// The check is forward's, so that moving after wrapping is in time.
TEST_F(DataParallelTest, AModuleMayMoveAfterWrapping) {
  Tensor input = randn({4, 10});
  DataParallel late(nn::Linear(10, 5), {0, 1});
  EXPECT_THROW(late(input), RuleError);
  late->to(Device("cuda"));
  EXPECT_NO_THROW(late(input));
  late->to(gpu(1));
  EXPECT_THROW(late(input), RuleError);
  DataParallel reversed(nn::Linear(10, 5), {1, 0});
  reversed->to(Device("cuda:1"));
  EXPECT_EQ(reversed(input).device(), gpu(1));
}

TEST_F(DataParallelTest, ASingleDeviceMovesTheModule) {
  nn::Linear bare(10, 5);
  DataParallel net(bare, {2}, 3);
  EXPECT_EQ(bare->weight.device(), gpu(2));
  EXPECT_EQ(net(randn({3, 10})).device(), gpu(2)) << "the output device is not used";
  nn::Linear other(10, 5);
  EXPECT_EQ(error_of([&] { nn::data_parallel(other, randn({3, 10}), {2}); }),
            placement_error("cuda:2", "cpu"))
      << "the function moves nothing";
}

// The main device is device_ids[0], and not the current one.
TEST_F(DataParallelTest, TheCurrentDeviceDoesNotCount) {
  cuda::set_device(1);
  nn::Linear bare(10, 5);
  bare->cuda();
  EXPECT_EQ(error_of([&] { DataParallel{bare}(randn({4, 10})); }),
            placement_error("cuda:0", "cuda:1"));
}

TEST_F(DataParallelTest, TakesDevicesByNameAndByNumber) {
  nn::Linear bare(10, 5);
  bare->to(gpu(1));
  DataParallel net(bare, {Device("cuda:1"), "cuda:0"}, Device("cuda:3"));
  EXPECT_EQ(net->device_ids, std::vector<DeviceIndex>({1, 0}));
  EXPECT_EQ(net(randn({4, 10})).device(), gpu(3));
}

TEST_F(DataParallelTest, RefusesDevicesThatAreNone) {
  nn::Linear bare(2, 2);
  EXPECT_EQ(error_of([&] { DataParallel(bare, {"cpu"}); }),
            "Expected a non cpu device, but got: cpu");
  EXPECT_EQ(error_of([&] { DataParallel(bare, {0, 1}, "cpu"); }),
            "Expected a non cpu device, but got: cpu");
  EXPECT_EQ(error_of([&] { DataParallel(bare, std::vector<int>()); }), "list index out of range");
  EXPECT_EQ(error_of([&] { DataParallel(bare, {0, 9}); }), "Invalid device id");
  EXPECT_EQ(error_of([&] { DataParallel(bare, {-1}); }), "Invalid device id");
  EXPECT_EQ(rule_of([&] { DataParallel(bare, {-1}); }), "invalid-device");
}

TEST_F(DataParallelTest, GathersOnTheCpuIfAskedByNumber) {
  nn::Linear bare(10, 5);
  bare->to(gpu(0));
  DataParallel net(bare, {0, 1}, -1);
  EXPECT_EQ(net(randn({4, 10})).device(), Device(kCPU));
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_TRUE(warnings()[0].starts_with("Using -1 to represent CPU tensor is deprecated."));
}

TEST_F(DataParallelTest, WithoutAGpuItPassesThrough) {
  ScopedCudaBackend machine(make_virtual_backend(strict_machine(0)));
  nn::Linear bare(10, 5);
  DataParallel net(bare, {0, 1});
  Tensor input = randn({4, 10});
  EXPECT_TRUE(equal(net(input), bare(input)));
  EXPECT_EQ(net->named_parameters().keys(),
            std::vector<std::string>({"module.weight", "module.bias"}));
  EXPECT_TRUE(equal(DataParallel(bare, {"cpu", "cuda"}, "cpu")(input), bare(input)))
      << "what was given is not looked at";
  EXPECT_EQ(error_of([&] { nn::data_parallel(bare, input); }),
            "device type could not be determined");
}

// Placement is looked at before anything is scattered.
TEST_F(DataParallelTest, PlacementComesFirst) {
  EXPECT_THROW(DataParallel(nn::Linear(1, 1), {0, 1})(scalar_tensor(1)), RuleError);
}

TEST_F(DataParallelTest, IsNamedAfterItsOwnClass) {
  DataParallel net(DoubleLinear(), {0, 1});
  EXPECT_EQ(net->named_parameters().keys(),
            std::vector<std::string>({"module.fc.weight", "module.fc.bias"}));
  EXPECT_EQ(net->name(), "DataParallel");
  EXPECT_EQ(DoubleLinear()->name(), "DoubleLinear");
}

// A net of which only the features run on several devices.
struct PartlyImpl : nn::Module {
  PartlyImpl()
      : features(register_module("features", DataParallel(DoubleLinear(), {0, 1}))),
        out(register_module("out", nn::Linear(5, 2))) {}
  Tensor forward(const Tensor& x) { return out(features(x)); }
  DataParallel<DoubleLinearImpl> features;
  nn::Linear out;
};
PLACECHECK_MODULE(Partly);

TEST_F(DataParallelTest, APartOfANetMayBeWrapped) {
  Partly net;
  net->to(gpu(0));
  EXPECT_EQ(net->state_dict().keys(),
            std::vector<std::string>({"features.module.fc.weight", "features.module.fc.bias",
                                      "out.weight", "out.bias"}));
  Tensor x = randn({6, 10});
  Tensor expected = net->out(net->features->module(x.to(gpu(0))));
  EXPECT_TRUE(allclose(net(x), expected, 1e-5, 1e-6));
  net(x).sum().backward();
  EXPECT_TRUE(net->features->module->fc->weight.grad().defined());
}

// The outer wrapper's replicas hold wrappers whose modules are not on their first device.
TEST_F(DataParallelTest, AWrapperInAWrapperFindsItsReplicaElsewhere) {
  DataParallel inner(DoubleLinear(), {0, 1});
  DataParallel outer(inner, {0, 1});
  outer->to(gpu(0));
  EXPECT_EQ(outer->named_parameters().keys(),
            std::vector<std::string>({"module.module.fc.weight", "module.module.fc.bias"}));
  Tensor x = randn({6, 10});
  EXPECT_EQ(error_of([&] { outer(x); }),
            "Caught RuntimeError in replica 1 on device 1.\nOriginal Traceback (most recent call "
            "last):\nRuntimeError: " +
                placement_error("cuda:0", "cuda:1"));
  EXPECT_EQ(rule_of([&] { outer(x); }), "data-parallel-placement");
  DataParallel alone(inner, {0});
  EXPECT_TRUE(equal(alone(x), inner(x))) << "one device makes no replicas";
}

TEST_F(DataParallelTest, WarnsOfUnequalGpus) {
  auto warned = [&](std::vector<VirtualGpu> gpus) {
    VirtualOptions options = strict_machine(0);
    options.gpus = std::move(gpus);
    ScopedCudaBackend machine(make_virtual_backend(options));
    std::string text;
    ScopedWarningHandler handler([&](const std::string& warning) { text += warning; });
    DataParallel(nn::Linear(1, 1), {0, 1});
    return text;
  };
  constexpr std::int64_t kMiB = 1 << 20;
  EXPECT_EQ(warned({{4 * kMiB, 8}, {3 * kMiB, 8}}), "") << "exactly 75 % is enough";
  std::string text = warned({{4 * kMiB, 8}, {kMiB * 3 - 512, 2}});
  EXPECT_EQ(
      text,
      "\n    There is an imbalance between your GPUs. You may want to exclude GPU 1 which\n  "
      "  has less than 75% of the memory or cores of GPU 0. You can do so by setting\n    the "
      "device_ids argument to DataParallel, or by setting the CUDA_VISIBLE_DEVICES\n    "
      "environment variable.")
      << "memory is named first, and once";
  EXPECT_NE(warned({{4 * kMiB, 8}, {4 * kMiB, 5}}), "");
}

}  // namespace
}  // namespace placecheck::runtime
