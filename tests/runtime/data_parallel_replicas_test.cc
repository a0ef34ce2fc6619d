// Replicas: what they copy and share, how they run side by side, and what becomes of their errors.
// Names follow PyTorch's cases (test_data_parallel.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <functional>
#include <mutex>
#include <set>
#include <sstream>

#include "runtime/nn/cloneable.h"
#include "runtime/nn/containers.h"
#include "runtime/nn/layers.h"
#include "runtime/parallel/data_parallel.h"
#include "runtime/serialization/archive.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

using nn::DataParallel;

class DataParallelReplicasTest : public MachineTest {};

// test_parallel_apply, and test_parallel_apply_passes_exception
TEST_F(DataParallelReplicasTest, ParallelApplyRunsEachModuleOnItsInputs) {
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

TEST_F(DataParallelReplicasTest, ExceptionsComeWithTheirReplica) {
  auto module = std::make_shared<ThrowingImpl<KeyError>>(std::set<int>{3, 1});
  module->to(gpu(0));
  DataParallel net(module, {0, 3, 1});
  Tensor x = randn({6, 1});
  EXPECT_EQ(error_of([&] { net(x); }),
            "Caught KeyError in replica 1 on device 3.\nOriginal Traceback (most recent call "
            "last):\nKeyError: wonderful 3")
      << "the lowest replica wins, whichever was first";
  EXPECT_THROW(net(x), KeyError);
  module->devices.clear();
  EXPECT_TRUE(equal(net(x).cpu(), x)) << "usable afterwards";
  auto other = std::make_shared<ThrowingImpl<std::invalid_argument>>(std::set<int>{0});
  other->to(gpu(0));
  EXPECT_THROW(DataParallel(other, {0, 1})(x), std::invalid_argument);
}

TEST_F(DataParallelReplicasTest, ARulesErrorKeepsItsRuleInAReplica) {
  struct Unregistered : nn::Module {
    Tensor offset = ones({1}, gpu(0));
    Tensor forward(const Tensor& x) { return x + offset; }
  };
  DataParallel net(std::make_shared<Unregistered>(), {0, 1});
  auto run = [&] { net(ones({4, 2})); };
  EXPECT_EQ(rule_of(run), "device-mismatch");
  EXPECT_EQ(error_of(run),
            "Caught RuntimeError in replica 1 on device 1.\nOriginal Traceback (most recent call "
            "last):\nRuntimeError: Expected all tensors to be on the same device, but found at "
            "least two devices, cuda:1 and cuda:0!");
}

// Every replica may wait for the others: each has a thread if it needs one.
TEST_F(DataParallelReplicasTest, ReplicasMayWaitForEachOther) {
  struct Meeting : nn::Module {
    std::shared_ptr<std::barrier<>> barrier = std::make_shared<std::barrier<>>(4);
    Tensor forward(const Tensor& x) {
      barrier->arrive_and_wait();
      return x * 2;
    }
  };
  DataParallel net(std::make_shared<Meeting>(), {0, 1, 2, 3});
  Tensor x = randn({8, 2});
  for (int run = 0; run < 50; ++run) EXPECT_TRUE(equal(net(x).cpu(), x * 2));
}

// Whichever thread runs a replica, each runs once, on its own device.
TEST_F(DataParallelReplicasTest, EveryReplicaRunsOnce) {
  nn::ReplicaThreads threads;
  for (std::size_t devices = 1; devices <= 4; ++devices) {
    comm::DeviceList all;
    for (std::size_t i = 0; i < devices; ++i) all.push_back(static_cast<DeviceIndex>(3 - i));
    for (int run = 0; run < 200; ++run) {
      std::vector<DeviceIndex> seen(devices, -1);
      nn::run_on_devices(threads, all, [&](std::size_t i) {
        EXPECT_EQ(seen[i], -1);
        seen[i] = cuda::current_device();
      });
      EXPECT_EQ(seen, all);
      EXPECT_EQ(cuda::current_device(), 0) << "the caller's own stays";
    }
  }
}

// test_data_parallel_no_grad
TEST_F(DataParallelReplicasTest, ReplicasRunInTheCallersGradMode) {
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
TEST_F(DataParallelReplicasTest, ReplicasLieOnTheirDevices) {
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

// test_save_replica_module
TEST_F(DataParallelReplicasTest, AReplicasStateCanBeSaved) {
  nn::BatchNorm1d norm(3);
  norm->to(gpu(0));
  for (bool detach : {true, false}) {
    std::stringstream file;
    save(nn::replicate(norm.ptr(), {0, 1}, detach)[1]->state_dict(), file);
    nn::StateDict state = load(file);
    EXPECT_EQ(state.keys(), norm->state_dict().keys());
    EXPECT_EQ(state["running_var"].device(), gpu(1));
  }
}

// Only registered state is copied; the rest is the original's, as in Python.
TEST_F(DataParallelReplicasTest, MembersFollowWhatIsRegistered) {
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

// A module may have other bases before Module.
struct Counted {
  virtual ~Counted() = default;
  int calls = 0;
};
struct CountedLayerImpl : Counted, nn::Module {
  Tensor weight = register_parameter("weight", ones({1}));
  Tensor forward(const Tensor& x) { return x * weight; }
};
PLACECHECK_MODULE(CountedLayer);

TEST_F(DataParallelReplicasTest, ModulesMayHaveOtherBases) {
  struct Holding : nn::Module {
    CountedLayer layer = register_module("layer", CountedLayer());
    Tensor forward(const Tensor& x) { return layer(x); }
  };
  auto module = std::make_shared<Holding>();
  module->to(gpu(0));
  Tensor x = randn({4, 1});
  EXPECT_TRUE(equal(DataParallel(module, {0, 1})(x).cpu(), x));
}

// Children held by pointer: a copy of the pointer would share the original's child.
struct ByPointerImpl : nn::Module {
  std::shared_ptr<nn::LinearImpl> fc =
      register_module("fc", std::make_shared<nn::LinearImpl>(2, 2));
  Tensor forward(const Tensor& x) { return fc->forward(x); }
};

TEST_F(DataParallelReplicasTest, RefusesChildrenThatACopyShares) {
  auto module = std::make_shared<ByPointerImpl>();
  module->to(gpu(0));
  EXPECT_EQ(error_of([&] { DataParallel(module, {0, 1})(randn({4, 2})); }),
            "the replica of ByPointer would share its child 'fc' with the original, as a member "
            "holds it by std::shared_ptr. Hold it by its holder class, or derive the module from "
            "nn::Cloneable and register the child in reset()");
}

// A class whose copies are replicas although its members cannot be copied with their meaning.
struct ClonedImpl : nn::Cloneable<ClonedImpl> {
  ClonedImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", std::make_shared<nn::LinearImpl>(2, 2));
    locked = register_module("locked", std::make_shared<Locked>());
    scale = register_parameter("scale", ones({1}));
    register_buffer("offset", ones({1}));
  }
  Tensor forward(const Tensor& x) { return locked->forward(fc->forward(x)) * scale; }

  struct Locked : nn::Module {
    std::mutex mutex;
    Tensor weight = register_parameter("weight", full({1}, 3));
    Tensor forward(const Tensor& x) {
      std::lock_guard lock(mutex);
      return x * weight;
    }
  };
  std::shared_ptr<nn::LinearImpl> fc;
  std::shared_ptr<Locked> locked;
  Tensor scale;
};

TEST_F(DataParallelReplicasTest, ACloneableRegistersItsChildrenAnew) {
  auto module = std::make_shared<ClonedImpl>();
  module->to(gpu(0));
  module->eval();
  auto replica = nn::replicate(module, {0, 1})[1];
  EXPECT_NE(replica->fc, module->fc);
  EXPECT_EQ(replica->fc->weight.device(), gpu(1));
  EXPECT_EQ(replica->own_buffers()["offset"].device(), gpu(1));
  EXPECT_TRUE(replica->is_replica());
  EXPECT_TRUE(replica->fc->is_replica());
  EXPECT_FALSE(replica->locked->is_training());

  Tensor x = randn({4, 2});
  Tensor bare = module->forward(x.to(gpu(0)));
  Tensor output = DataParallel(module, {0, 1})(x);
  EXPECT_TRUE(allclose(output, bare, 1e-5, 1e-6));
  output.sum().backward();
  for (const Tensor& parameter : module->parameters()) {
    EXPECT_TRUE(parameter.grad().defined());
    EXPECT_EQ(parameter.grad().device(), gpu(0));
  }
}

TEST_F(DataParallelReplicasTest, ACloneableRegistersTheSameNames) {
  struct Forgetful : nn::Cloneable<Forgetful> {
    Forgetful() : weight(register_parameter("weight", ones({1}))) {}
    void reset() override {}
    Tensor forward(const Tensor& x) { return x * weight; }
    Tensor weight;
  };
  auto module = std::make_shared<Forgetful>();
  module->to(gpu(0));
  EXPECT_EQ(error_of([&] { nn::replicate(module, {0, 1}); }),
            "The cloned module does not have the same number of parameters as the original module "
            "after calling reset(). Are you sure you called register_parameter() inside reset() "
            "and not the constructor?");
}

TEST_F(DataParallelReplicasTest, RefusesAModuleThatCannotBeCopied) {
  struct Net : nn::Module {
    std::shared_ptr<ClonedImpl::Locked> part =
        register_module("part", std::make_shared<ClonedImpl::Locked>());
    Tensor forward(const Tensor& x) { return part->forward(x); }
  };
  auto module = std::make_shared<Net>();
  module->to(gpu(0));
  EXPECT_EQ(error_of([&] { DataParallel(module, {0, 1})(ones({2, 1})); }),
            "Locked cannot be replicated, as it cannot be copied: a member such as a std::mutex or "
            "a std::unique_ptr has no copy. Give the class a copy constructor");
  EXPECT_TRUE(equal(DataParallel(module, {0})(ones({2, 1})).cpu(), full({2, 1}, 3)))
      << "one device needs no replica";
}

// Python's RecursionError; without a check, a wait for oneself.
TEST_F(DataParallelReplicasTest, AWrapperIsNotCalledInItsOwnForward) {
  struct Calling : nn::Module {
    std::function<Tensor(const Tensor&)> wrapper;
    Tensor forward(const Tensor& x) { return wrapper(x); }
  };
  auto module = std::make_shared<Calling>();
  DataParallel net(module, {0, 1});
  module->wrapper = [&](const Tensor& x) { return net(x); };
  EXPECT_THAT(error_of([&] { net(randn({4, 1})); }),
              testing::HasSubstr("a data-parallel module was called inside its own forward"));
  module->wrapper = [](const Tensor& x) { return x; };
  EXPECT_EQ(net(randn({4, 1})).sizes(), Shape({4, 1})) << "the error leaves nothing locked";
}

// test_zero_grad
TEST_F(DataParallelReplicasTest, ZeroGradInAReplicaWarns) {
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
TEST_F(DataParallelReplicasTest, BuffersOfTheFirstDeviceStay) {
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
            "Caught ValueError in replica 2 on device 2.\nOriginal Traceback (most recent call "
            "last):\nValueError: Expected more than 1 value per channel when training, got input "
            "size [1, 3]");
}

// What members are given in a forward is lost with the replica.
TEST_F(DataParallelReplicasTest, MembersWrittenInForwardAreLost) {
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

}  // namespace
}  // namespace placecheck::runtime
