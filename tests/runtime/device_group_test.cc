// Which group moves data parallelism's tensors, and what it is asked for.
#include "runtime/comm/device_group.h"

#include <gtest/gtest.h>

#include <map>

#include "runtime/backend/generator.h"
#include "runtime/comm/collectives.h"
#include "runtime/nn/layers.h"
#include "runtime/parallel/data_parallel.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime::comm {
namespace {

// What was asked of the groups of a test; a maker is a function and has no state of its own.
struct Counts {
  int made = 0;
  int broadcasts = 0;
  int reductions = 0;
};
std::map<DeviceList, Counts>& counts() {
  static std::map<DeviceList, Counts> counts;
  return counts;
}

class CountingGroup : public DeviceGroup {
 public:
  explicit CountingGroup(const DeviceList& devices)
      : counts_(counts()[devices]), inner_(make_copying_group(devices)) {
    ++counts_.made;
  }
  std::string_view name() const override { return "counting"; }
  void broadcast(const TensorList& tensors, std::size_t root) override {
    ++counts_.broadcasts;
    inner_->broadcast(tensors, root);
  }
  Tensor reduce(const TensorList& tensors, std::size_t root) override {
    ++counts_.reductions;
    return inner_->reduce(tensors, root);
  }

 private:
  Counts& counts_;
  std::unique_ptr<DeviceGroup> inner_;
};

std::unique_ptr<DeviceGroup> make_counting_group(const DeviceList& devices) {
  return std::make_unique<CountingGroup>(devices);
}

class DeviceGroupTest : public MachineTest {
 protected:
  DeviceGroupTest() { counts().clear(); }

  // Two training steps; the gradients of the second.
  static TensorList train(const std::vector<int>& devices) {
    manual_seed(3);
    nn::Linear model(4, 2);
    model->to(gpu(devices[0]));
    nn::DataParallel net(model, devices);
    Tensor x = randn({8, 4});
    for (int step = 0; step < 2; ++step) {
      model->zero_grad();
      net(x).sum().backward();
    }
    return {model->weight.grad().cpu(), model->bias.grad().cpu()};
  }
};

TEST_F(DeviceGroupTest, VirtualDevicesCopy) {
  EXPECT_EQ(group_of({0, 1}).name(), "copying");
  EXPECT_EQ(&group_of({0, 1}), &group_of({0, 1})) << "made once";
  EXPECT_NE(&group_of({0, 1}), &group_of({1, 0}));
}

TEST_F(DeviceGroupTest, DistinctDevicesGetTheLibrarysGroup) {
  ScopedDeviceGroups groups(&make_counting_group);
  EXPECT_EQ(group_of({0, 1}).name(), "counting");
  EXPECT_EQ(group_of({3, 0, 2}).name(), "counting");
  EXPECT_EQ(group_of({0, 0}).name(), "copying") << "one device twice";
  EXPECT_EQ(group_of({1, 2, 1}).name(), "copying");
  EXPECT_EQ(group_of({2}).name(), "copying") << "nothing to move";
}

TEST_F(DeviceGroupTest, TheGroupIsTheScopes) {
  {
    ScopedDeviceGroups groups(&make_counting_group);
    EXPECT_EQ(group_of({0, 1}).name(), "counting");
  }
  EXPECT_EQ(group_of({0, 1}).name(), "copying");
}

// Parameters travel together, one broadcast a step; so do gradients.
TEST_F(DeviceGroupTest, DataParallelUsesIt) {
  TensorList expected = train({0, 1, 2});
  ScopedDeviceGroups groups(&make_counting_group);
  TensorList gradients = train({0, 1, 2});
  EXPECT_EQ(counts()[DeviceList({0, 1, 2})].made, 1) << "for both steps";
  EXPECT_EQ(counts()[DeviceList({0, 1, 2})].broadcasts, 2);
  EXPECT_EQ(counts()[DeviceList({0, 1, 2})].reductions, 2);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(equal(gradients[i], expected[i]));
  train({1, 0});
  EXPECT_EQ(counts()[DeviceList({1, 0})].broadcasts, 2) << "the order is the list's";
  EXPECT_EQ(counts()[DeviceList({0, 1})].made, 0);
}

TEST_F(DeviceGroupTest, DataParallelCopiesWhereADeviceIsNamedTwice) {
  TensorList expected = train({0});
  ScopedDeviceGroups groups(&make_counting_group);
  TensorList gradients = train({0, 0});
  EXPECT_TRUE(counts().empty());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(allclose(gradients[i], expected[i], 1e-5, 1e-6));
  }
}

// A parameter that only some replicas used is reduced among those.
TEST_F(DeviceGroupTest, ReducesAmongThoseThatHaveSomething) {
  ScopedDeviceGroups groups(&make_counting_group);
  TensorList sums = reduce_add_coalesced({{ones({2}, gpu(0)), ones({3}, gpu(0))},
                                          {Tensor(), ones({3}, gpu(1))},
                                          {ones({2}, gpu(2)), ones({3}, gpu(2))}},
                                         gpu(0));
  EXPECT_TRUE(equal(sums[0].cpu(), full({2}, 2)));
  EXPECT_TRUE(equal(sums[1].cpu(), full({3}, 3)));
  EXPECT_EQ(counts()[DeviceList({0, 2})].reductions, 1);
  EXPECT_EQ(counts()[DeviceList({0, 1, 2})].reductions, 1);
}

TEST_F(DeviceGroupTest, ChecksWhatItIsGiven) {
  auto expect = [](const std::function<void()>& body, const std::string& text) {
    EXPECT_EQ(error_of(body), text);
    EXPECT_EQ(rule_of(body), "nccl-usage");
  };
  DeviceGroup& group = group_of({0, 1});
  Tensor here = ones({2}, gpu(0));
  Tensor there = ones({2}, gpu(1));
  EXPECT_NO_THROW(group.broadcast({here, there}, 1));
  expect(
      [&] { group.broadcast({here, here}, 0); },
      "input and output elements have to be cuda dense Tensors: broadcast of rank 1 needs one on "
      "cuda:1, but got one on cuda:0");
  expect([&] { group.reduce({here, there}, 2); }, "reduce: root must be one of 2 ranks, but got 2");
  expect([&] { group.reduce({here, ones({3}, gpu(1))}, 0); },
         "all inputs must have the same number of elements: 2 in rank 0, 3 in rank 1");
  expect([&] { group.broadcast({here, there.to(kDouble)}, 0); },
         "all inputs and outputs must be of the same Tensor dtype: Float in rank 0, Double in rank "
         "1");
  EXPECT_EQ(error_of([&] { group.broadcast({here}, 0); }),
            "broadcast over 2 devices needs one tensor for each, but got 1");
}

}  // namespace
}  // namespace placecheck::runtime::comm
