// DataParallel against PyTorch's own cases for it (test_data_parallel.py), and the cases that those
// lack. Names follow theirs.
#include "runtime/parallel/data_parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>

#include "runtime/autograd/engine.h"
#include "runtime/nn/containers.h"
#include "runtime/nn/layers.h"
#include "runtime/optim/optimizer.h"
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

std::string placement_error(const char* first, const char* found) {
  return std::string("module must have its parameters and buffers on device ") + first +
         " (device_ids[0]) but found one of them on device: " + found;
}

// test_data_parallel: gradients equal those of the bare module, wherever the input is.
TEST_F(DataParallelTest, GradientsEqualTheBareModules) {
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
  EXPECT_EQ(error_of([&] { nn::data_parallel(bare, input); }),
            "device type could not be determined");
}

// test_data_parallel_multiple_input: tensors, a number, and a tensor by name.
struct MixedImpl : nn::Module {
  using Named = std::map<std::string, Tensor>;
  Tensor forward(const Tensor& x, double scale, const Named& named) {
    return x * scale + named.at("offset") * weight;
  }
  Tensor weight = register_parameter("weight", full({1}, 3));
};
PLACECHECK_MODULE(Mixed);

TEST_F(DataParallelTest, TakesSeveralInputs) {
  for (const DeviceIds& ids : {DeviceIds{0, 1}, DeviceIds{1, 0}, DeviceIds{0}}) {
    Mixed bare;
    bare->to(gpu(ids.resolved()[0]));
    DataParallel net(bare, ids);
    Tensor x = randn({10, 2}).requires_grad_();
    Tensor offset = randn({10, 2}).requires_grad_();
    Tensor output = net(x, 2.0, MixedImpl::Named{{"offset", offset}});
    EXPECT_TRUE(allclose(output, x * 2 + offset * 3, 1e-5, 1e-6));
    output.sum().backward();
    EXPECT_TRUE(allclose(x.grad(), full({10, 2}, 2)));
    EXPECT_TRUE(allclose(offset.grad(), full({10, 2}, 3)));
    Tensor same =
        nn::data_parallel(bare, std::make_tuple(x, 2.0, MixedImpl::Named{{"offset", offset}}), ids);
    EXPECT_TRUE(equal(same.cpu(), output.cpu()));
  }
}

// test_data_parallel_nested_output
struct NestedImpl : nn::Module {
  using Output = std::tuple<Tensor, std::vector<Tensor>, std::map<std::string, Tensor>,
                            std::pair<Tensor, std::optional<Tensor>>>;
  Output forward(const Tensor& x) {
    return {x, {x * 2, x * 3}, {{"a", x * 4}, {"b", x * 5}}, {x * 6, std::nullopt}};
  }
};
PLACECHECK_MODULE(Nested);

TEST_F(DataParallelTest, RebuildsNestedOutputs) {
  Tensor x = randn({5, 2});
  auto [first, list, dict, pair] = DataParallel(Nested(), {0, 1})(x);
  EXPECT_TRUE(equal(first.cpu(), x));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_TRUE(equal(list[1].cpu(), x * 3));
  EXPECT_TRUE(equal(dict.at("b").cpu(), x * 5));
  EXPECT_TRUE(equal(pair.first.cpu(), x * 6));
  EXPECT_FALSE(pair.second.has_value());
}

// test_data_parallel_nested_input
struct NestedInputImpl : nn::Module {
  Tensor forward(const std::pair<Tensor, std::vector<Tensor>>& in) {
    return in.first + in.second[0] + in.second[1];
  }
};
PLACECHECK_MODULE(NestedInput);

TEST_F(DataParallelTest, TakesNestedInputsApart) {
  Tensor x = randn({6, 3});
  std::pair<Tensor, std::vector<Tensor>> input{x, {x, x * 2}};
  EXPECT_TRUE(allclose(DataParallel(NestedInput(), {0, 1})(input), x * 4, 1e-5, 1e-6));
}

// test_data_parallel_module_zero_inputs
struct ZeroInputImpl : nn::Module {
  Tensor forward() { return full({1}, 5, kCUDA); }
};
PLACECHECK_MODULE(ZeroInput);

TEST_F(DataParallelTest, WithoutInputsOneReplicaRuns) {
  for (const DeviceIds& ids : {DeviceIds{0}, DeviceIds{0, 1}}) {
    Tensor output = DataParallel(ZeroInput(), ids)();
    EXPECT_EQ(output.sizes(), Shape({1}));
    EXPECT_EQ(output.device(), gpu(0));
    EXPECT_EQ(nn::data_parallel(ZeroInput(), std::tuple<>(), ids).sizes(), Shape({1}));
  }
}

// Which replicas run, and with how much.
struct SizesImpl : nn::Module {
  std::shared_ptr<std::mutex> mutex = std::make_shared<std::mutex>();
  std::shared_ptr<std::map<DeviceIndex, std::int64_t>> seen =
      std::make_shared<std::map<DeviceIndex, std::int64_t>>();
  Tensor forward(const Tensor& x) {
    std::lock_guard lock(*mutex);
    (*seen)[x.device().index()] = x.size(0);
    EXPECT_EQ(cuda::current_device(), x.device().index());
    return x;
  }
};
PLACECHECK_MODULE(Sizes);

TEST_F(DataParallelTest, SplitsAsChunkDoes) {
  const std::vector<std::vector<std::int64_t>> kSplits = {
      {1},       {1, 1},       {1, 1, 1},    {1, 1, 1, 1}, {2, 2, 1},
      {2, 2, 2}, {2, 2, 2, 1}, {2, 2, 2, 2}, {3, 3, 3},    {3, 3, 3, 1}};
  for (std::size_t batch = 1; batch <= kSplits.size(); ++batch) {
    Sizes sizes;
    Tensor x = randn({static_cast<std::int64_t>(batch), 2});
    Tensor output = DataParallel(sizes)(x);
    EXPECT_TRUE(equal(output.cpu(), x));
    std::vector<std::int64_t> seen;
    for (auto [device, size] : *sizes->seen) seen.push_back(size);
    EXPECT_EQ(seen, kSplits[batch - 1]) << batch;
  }
  Sizes empty;
  EXPECT_EQ(DataParallel(empty)(randn({0, 2})).sizes(), Shape({0, 2}));
  EXPECT_EQ(empty->seen->size(), 4u) << "an empty batch runs everywhere";
}

TEST_F(DataParallelTest, SplitsAlongAnotherDimension) {
  nn::Linear bare(4, 3);
  bare->to(gpu(0));
  Tensor x = randn({2, 6, 4});
  Tensor expected = bare(x.to(gpu(0)));
  EXPECT_TRUE(allclose(DataParallel(bare, {0, 1, 2}, {}, 1)(x), expected, 1e-5, 1e-6));
  EXPECT_TRUE(allclose(DataParallel(bare, {0, 1}, {}, -2)(x), expected, 1e-5, 1e-6));
}

TEST_F(DataParallelTest, AnArgumentThatIsNoTensorIsEverybodys) {
  struct Scaled : nn::Module {
    Tensor forward(const Tensor& x, double by) { return x * by; }
  };
  Tensor x = randn({9, 2});
  DataParallel net(std::make_shared<Scaled>());
  EXPECT_TRUE(allclose(net(x, 2.0), x * 2)) << "nine rows are three replicas', the fourth is idle";
}

// test_parallel_apply, and test_parallel_apply_passes_exception
TEST_F(DataParallelTest, ParallelApplyRunsEachModuleOnItsInputs) {
  auto on = [](int device) {
    auto module = std::make_shared<nn::LinearImpl>(10, 5);
    module->to(gpu(device));
    return module;
  };
  std::vector<std::shared_ptr<nn::LinearImpl>> modules = {on(0), on(1)};
  std::vector<std::tuple<Tensor>> inputs = {{randn({2, 10}, gpu(0))}, {randn({2, 10}, gpu(1))}};
  auto outputs = nn::parallel_apply(modules, inputs);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(equal(outputs[i], modules[i]->forward(std::get<0>(inputs[i]))));
  }
  modules.pop_back();
  EXPECT_EQ(error_of([&] { nn::parallel_apply(modules, inputs); }),
            "The number of modules 1 is not equal to the number of inputs 2");
  inputs.pop_back();
  EXPECT_EQ(error_of([&] { nn::parallel_apply(modules, inputs, comm::DeviceList{0, 1}); }),
            "The number of modules 1 is not equal to the number of devices 2");
  inputs[0] = {randn({2, 10})};
  EXPECT_EQ(error_of([&] { nn::parallel_apply(modules, inputs); }),
            "in replica 0, no device was provided and no tensor input was found; device cannot be "
            "resolved");
}

template <typename Raised>
struct ThrowingImpl : nn::Module {
  ThrowingImpl() = default;
  explicit ThrowingImpl(std::set<int> devices) : devices(std::move(devices)) {}
  std::set<int> devices;
  Tensor weight = register_parameter("weight", ones({1}));
  Tensor forward(const Tensor& x) {
    if (devices.contains(x.device().index())) {
      throw Raised("wonderful " + std::to_string(x.device().index()));
    }
    return x * weight;
  }
};

TEST_F(DataParallelTest, ExceptionsComeWithTheirReplica) {
  auto module = std::make_shared<ThrowingImpl<KeyError>>(std::set<int>{3, 1});
  module->to(gpu(0));
  DataParallel net(module, {0, 3, 1});
  Tensor x = randn({6, 1});
  EXPECT_EQ(error_of([&] { net(x); }),
            "Caught KeyError in replica 1 on device 3.\nOriginal message: wonderful 3")
      << "the lowest replica wins, whichever was first";
  EXPECT_THROW(net(x), KeyError);
  module->devices.clear();
  EXPECT_TRUE(equal(net(x).cpu(), x)) << "usable afterwards";
  auto other = std::make_shared<ThrowingImpl<std::invalid_argument>>(std::set<int>{0});
  other->to(gpu(0));
  EXPECT_THROW(DataParallel(other, {0, 1})(x), std::invalid_argument);
}

TEST_F(DataParallelTest, ARulesErrorKeepsItsRuleInAReplica) {
  struct Unregistered : nn::Module {
    Tensor offset = ones({1}, gpu(0));
    Tensor forward(const Tensor& x) { return x + offset; }
  };
  DataParallel net(std::make_shared<Unregistered>(), {0, 1});
  auto run = [&] { net(ones({4, 2})); };
  EXPECT_EQ(rule_of(run), "device-mismatch");
  EXPECT_EQ(error_of(run),
            "Caught RuntimeError in replica 1 on device 1.\nOriginal message: Expected all tensors "
            "to be on the same device, but found at least two devices, cuda:1 and cuda:0!");
}

// test_data_parallel_no_grad
TEST_F(DataParallelTest, ReplicasRunInTheCallersGradMode) {
  struct Asking : nn::Module {
    bool expected = true;
    Tensor weight = register_parameter("weight", ones({1}));
    Tensor forward(const Tensor& x) {
      EXPECT_EQ(GradMode::is_enabled(), expected);
      return x * weight;
    }
  };
  auto module = std::make_shared<Asking>();
  module->to(gpu(0));
  DataParallel net(module, {0, 1});
  Tensor x = ones({4, 1});
  EXPECT_TRUE(net(x).requires_grad());
  NoGradGuard no_grad;
  module->expected = false;
  EXPECT_FALSE(net(x).requires_grad());
}

// test_replicate, test_replicate_buffers
TEST_F(DataParallelTest, ReplicasLieOnTheirDevices) {
  nn::Sequential net(nn::Linear(4, 3), nn::BatchNorm1d(3));
  net->to(gpu(0));
  Tensor input = randn({4, 4});
  Tensor expected = net(input.to(gpu(0)));
  auto replicas = nn::replicate(net.ptr(), {0, 1, 1});
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    Device device = gpu(i == 0 ? 0 : 1);
    for (const Tensor& tensor : replicas[i]->parameters()) {
      EXPECT_EQ(tensor.device(), device);
      EXPECT_TRUE(tensor.requires_grad());
      EXPECT_FALSE(tensor.is_leaf());
    }
    EXPECT_EQ(replicas[i]->buffers().size(), 3u);
    for (const Tensor& tensor : replicas[i]->buffers()) EXPECT_EQ(tensor.device(), device);
    EXPECT_TRUE(allclose(replicas[i]->forward(input.to(device)), expected));
  }
  EXPECT_EQ(error_of([] { nn::replicate(nn::Linear(2, 2).ptr(), {0, 1}); }),
            "Broadcast function not implemented for CPU tensors");
}

// Only registered state is copied; the rest is the original's, as in Python.
TEST_F(DataParallelTest, MembersFollowWhatIsRegistered) {
  struct Members : nn::Module {
    Members() {
      fc = register_module("fc", nn::Linear(2, 2));
      list = register_module("list", nn::ModuleList());
      list->push_back(nn::Linear(2, 2));
      weight = register_parameter("weight", ones({2}));
      all = {fc, fc};
      loose = ones({2}, gpu(0));
    }
    Tensor forward(const Tensor& x) { return x; }
    nn::Linear fc{nullptr};
    nn::ModuleList list{nullptr};
    std::vector<nn::Linear> all;
    Tensor weight;
    Tensor loose;
  };
  auto module = std::make_shared<Members>();
  module->to(gpu(0));
  auto replica = nn::replicate(module, {0, 1})[1];
  EXPECT_EQ(replica->weight.device(), gpu(1));
  EXPECT_EQ(replica->fc->weight.device(), gpu(1));
  EXPECT_EQ(replica->all[1]->weight.device(), gpu(1));
  EXPECT_EQ(replica->all[0].ptr(), replica->fc.ptr());
  EXPECT_EQ(replica->list->at<nn::Linear>(0).weight.device(), gpu(1));
  EXPECT_TRUE(replica->loose.is_same(module->loose));
  EXPECT_TRUE(replica->is_replica());
  EXPECT_NE(replica->fc.ptr(), module->fc.ptr());
}

// test_zero_grad
TEST_F(DataParallelTest, ZeroGradInAReplicaWarns) {
  struct Zeroing : nn::Module {
    Tensor weight = register_parameter("weight", ones({1}));
    Tensor forward(const Tensor& x) {
      zero_grad();
      return x * weight;
    }
  };
  auto module = std::make_shared<Zeroing>();
  module->to(gpu(0));
  DataParallel(module, {0, 1})(ones({2, 1}));
  ASSERT_EQ(warnings().size(), 2u);
  EXPECT_TRUE(warnings()[0].starts_with(
      "Calling .zero_grad() from a module created with nn.DataParallel() has no effect."));
}

// Of batch norm's statistics, those of the first device's shard stay.
TEST_F(DataParallelTest, BuffersOfTheFirstDeviceStay) {
  nn::BatchNorm1d norm(3);
  norm->to(gpu(0));
  nn::BatchNorm1d bare(3);
  Tensor x = randn({8, 3});
  DataParallel(norm, {0, 1})(x);
  bare(x.narrow(0, 0, 4));
  EXPECT_TRUE(allclose(norm->running_mean, bare->running_mean, 1e-5, 1e-6));
  EXPECT_TRUE(allclose(norm->running_var, bare->running_var, 1e-5, 1e-6));
  EXPECT_EQ(norm->num_batches_tracked.item<std::int64_t>(), 1);
  EXPECT_EQ(error_of([&] { DataParallel{norm}(randn({5, 3})); }),
            "Caught ValueError in replica 2 on device 2.\nOriginal message: Expected more than 1 "
            "value per channel when training, got input size [1, 3]");
}

// What members are given in a forward is lost with the replica.
TEST_F(DataParallelTest, MembersWrittenInForwardAreLost) {
  struct Counting : nn::Module {
    int calls = 0;
    Tensor forward(const Tensor& x) {
      ++calls;
      return x;
    }
  };
  auto module = std::make_shared<Counting>();
  DataParallel(module, {0, 1})(ones({4, 1}));
  EXPECT_EQ(module->calls, 0);
  DataParallel(module, {0})(ones({4, 1}));
  EXPECT_EQ(module->calls, 1);
}

// A parameter without use has no gradient; one that a single replica used has that one's.
TEST_F(DataParallelTest, GradientsComeFromWhoUsedTheParameter) {
  struct Partial : nn::Module {
    Tensor used = register_parameter("used", ones({1}));
    Tensor once = register_parameter("once", ones({1}));
    Tensor unused = register_parameter("unused", ones({1}));
    Tensor forward(const Tensor& x) { return x.device().index() == 1 ? x * used * once : x * used; }
  };
  auto module = std::make_shared<Partial>();
  module->to(gpu(0));
  DataParallel(module, {0, 1})(full({4, 1}, 3)).sum().backward();
  EXPECT_EQ(module->used.grad().item<float>(), 12);
  EXPECT_EQ(module->once.grad().item<float>(), 6);
  EXPECT_EQ(module->once.grad().device(), gpu(0));
  EXPECT_FALSE(module->unused.grad().defined());
}

TEST_F(DataParallelTest, SharedParametersStayShared) {
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

TEST_F(DataParallelTest, TrainsAnLstmAsOneDeviceDoes) {
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
TEST_F(DataParallelTest, DifferentiatesTwiceThroughReplicas) {
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
TEST_F(DataParallelTest, BuffersMayRequireGradients) {
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

// test_scatter, test_gather
TEST_F(DataParallelTest, ScatterAndGatherHaveGradients) {
  for (const Device& where : {Device(kCPU), gpu(0), gpu(2)}) {
    Tensor x = randn({4, 4}, TensorOptions(kDouble).device(where)).requires_grad_();
    TensorList parts = nn::scatter_tensor(x, {0, 1}, 0);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[1].device(), gpu(1));
    EXPECT_TRUE(equal(parts[1].cpu(), x.narrow(0, 2, 2).cpu()));
    (parts[0] * 2).sum().backward();
    Tensor expected = cat({full({2, 4}, 2, kDouble), zeros({2, 4}, kDouble)});
    EXPECT_TRUE(equal(x.grad().cpu(), expected));
  }
  Tensor a = randn({2, 4}, TensorOptions(kDouble).device(gpu(0))).requires_grad_();
  Tensor b = randn({2, 4}, TensorOptions(kDouble).device(gpu(1))).requires_grad_();
  Tensor whole = nn::gather_tensors({a, b}, gpu(1), 0);
  EXPECT_EQ(whole.sizes(), Shape({4, 4}));
  EXPECT_EQ(whole.device(), gpu(1));
  (whole * whole).sum().backward();
  EXPECT_TRUE(equal(a.grad(), a * 2));
  EXPECT_TRUE(equal(b.grad(), b * 2));
}

TEST_F(DataParallelTest, GathersScalarsToAVector) {
  struct Loss : nn::Module {
    Tensor forward(const Tensor& x) { return x.mean(); }
  };
  DataParallel net(std::make_shared<Loss>(), {0, 1});
  Tensor x = full({4, 2}, 3).requires_grad_();
  Tensor losses = net(x);
  EXPECT_EQ(losses.sizes(), Shape({2}));
  losses.sum().backward();
  EXPECT_TRUE(allclose(x.grad(), full({4, 2}, 0.25)));
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_EQ(warnings()[0],
            "Was asked to gather along dimension 0, but all input tensors were scalars; will "
            "instead unsqueeze and return a vector.");
}

TEST_F(DataParallelTest, RefusesOutputsThatCannotBeGathered) {
  struct OnCpu : nn::Module {
    Tensor forward(const Tensor& x) { return x.cpu(); }
  };
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<OnCpu>(), {0, 1})(ones({4, 1})); }),
            "Gather function not implemented for CPU tensors");
  struct Number : nn::Module {
    int forward(const Tensor&) { return 1; }
  };
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<Number>(), {0, 1})(ones({4, 1})); }),
            "'int' object is not iterable");
  struct Dicts : nn::Module {
    std::map<std::string, Tensor> forward(const Tensor& x) {
      if (x.device().index() == 0) return {{"a", x}};
      if (x.size(1) == 1) return {{"b", x}};
      return {{"a", x}, {"b", x}};
    }
  };
  auto dicts = std::make_shared<Dicts>();
  EXPECT_EQ(error_of([&] { DataParallel(dicts, {0, 1})(ones({4, 2})); }),
            "All dicts must have the same number of keys");
  EXPECT_EQ(error_of([&] { DataParallel(dicts, {0, 1})(ones({4, 1})); }), "a");
  struct Lists : nn::Module {
    std::vector<Tensor> forward(const Tensor& x) {
      return std::vector<Tensor>(static_cast<std::size_t>(x.device().index()) + 1, x);
    }
  };
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<Lists>(), {0, 1})(ones({4, 1})); }),
            "zip() argument 2 is longer than argument 1");
  struct Ragged : nn::Module {
    Tensor forward(const Tensor& x) { return zeros({2, x.device().index() + 1}, x.options()); }
  };
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<Ragged>(), {0, 1})(ones({4, 1})); }),
            "Input tensor at index 1 has invalid shape [2, 2], but expected [2, 1]");
}

TEST_F(DataParallelTest, RefusesAScalarInput) {
  EXPECT_EQ(error_of([] { DataParallel(Sizes(), {0, 1})(scalar_tensor(1)); }),
            "chunk expects at least a 1-dimensional tensor");
}

// Placement is looked at before anything is scattered.
TEST_F(DataParallelTest, PlacementComesFirst) {
  EXPECT_THROW(DataParallel(nn::Linear(1, 1), {0, 1})(scalar_tensor(1)), RuleError);
}

TEST_F(DataParallelTest, AWrapperInAWrapperIsKeptApart) {
  DataParallel inner(DoubleLinear(), {0, 1});
  EXPECT_EQ(inner->named_parameters().keys(),
            std::vector<std::string>({"module.fc.weight", "module.fc.bias"}));
  EXPECT_EQ(inner->name(), "DataParallel");
  EXPECT_EQ(DoubleLinear()->name(), "DoubleLinear");
}

TEST_F(DataParallelTest, RepeatedDevicesAreAllowed) {
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
