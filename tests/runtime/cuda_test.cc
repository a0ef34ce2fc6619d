// Real GPUs against the CPU: operations, training, the communicators. Without a GPU there is one
// line to say so.
#include <gtest/gtest.h>

#include <numeric>

#include "runtime/backend/real_cuda.h"
#include "runtime/comm/device_group.h"
#include "runtime/comm/nccl/nccl_group.h"
#include "runtime/core/check.h"
#include "runtime/runtime.h"
#include "tests/runtime/testing/comm_cases.h"

namespace placecheck::runtime {
namespace {

class CudaTest : public testing::Test {
 protected:
  void SetUp() override {
    std::unique_ptr<Backend> backend = make_real_cuda_backend();
    if (!backend) GTEST_SKIP() << "there is no GPU, or no driver, on this machine";
    machine_.emplace(std::move(backend));
    manual_seed(1);
  }

 private:
  std::optional<ScopedCudaBackend> machine_;
};

Device gpu() { return {kCUDA, 0}; }

struct NetImpl : nn::Module {
  nn::Sequential features =
      register_module("features", nn::Sequential(nn::Conv2d(1, 4, 3), nn::BatchNorm2d(4),
                                                 nn::ReLU(), nn::MaxPool2d(2), nn::Flatten()));
  nn::Linear out = register_module("out", nn::Linear(36, 3));
  Tensor forward(const Tensor& x) { return out(features(x)); }
};
PLACECHECK_MODULE(Net);

void expect_trains_as_on_cpu(ScalarType type, double tolerance) {
  Net host;
  host->to(type);
  Net device;
  device->to(type);
  device->load_state_dict(host->state_dict());
  device->to(gpu());
  Tensor x = randn({6, 1, 8, 8}).to(type);
  Tensor y = randint(0, 3, {6});
  auto train = [&](Net& net, const Device& where) {
    optim::Adam optimizer(net->parameters(), optim::AdamOptions(0.01).eps(1e-4));
    double loss = 0;
    for (int step = 0; step < 5; ++step) {
      Tensor error = cross_entropy(net(x.to(where)), y.to(where));
      optimizer.zero_grad();
      error.backward();
      optimizer.step();
      loss = error.item<double>();
    }
    return loss;
  };
  EXPECT_NEAR(train(device, gpu()), train(host, kCPU), tolerance);
}

TEST_F(CudaTest, TrainsAsTheCpuDoes) {
  expect_trains_as_on_cpu(kFloat, 1e-3);
  expect_trains_as_on_cpu(kHalf, 3e-2);
}

TEST_F(CudaTest, RunsTwoReplicasOnOneGpu) {
  nn::Linear model(8, 3);
  model->to(gpu());
  Tensor x = randn({6, 8});
  Tensor expected = model(x.to(gpu()));
  expected.sum().backward();
  Tensor wanted = model->weight.grad();
  model->zero_grad();
  nn::DataParallel net(model, {0, 0});
  Tensor output = net(x);
  output.sum().backward();
  EXPECT_TRUE(allclose(output, expected, 1e-4, 1e-5));
  EXPECT_TRUE(allclose(model->weight.grad(), wanted, 1e-4, 1e-4));
}

TEST_F(CudaTest, KnowsItsDevice) {
  EXPECT_FALSE(cuda::get_device_name(0).empty());
  EXPECT_GT(cuda::mem_get_info(0).second, 0);
  EXPECT_THROW(cuda::set_device(static_cast<DeviceIndex>(cuda::device_count())), Error);
}

// All GPUs of the machine.
comm::DeviceList all_gpus() {
  comm::DeviceList devices(cuda::device_count());
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

// The cases of virtual devices: copied among GPUs that are named twice, by NCCL among others.
TEST_F(CudaTest, CollectivesMoveWhatTheyAreGiven) {
  expect_collectives({0, 0});
  expect_collectives(all_gpus());
}

TEST_F(CudaTest, RanksShareWhatTheyHave) {
  expect_ranks_share(comm::make_nccl_group(all_gpus()), all_gpus());
}

TEST_F(CudaTest, MissingPeersAreTold) {
  if (cuda::device_count() < 2) GTEST_SKIP() << "there is only one GPU on this machine";
  expect_missing_peers_are_told(
      [](std::chrono::milliseconds deadline) { return comm::make_nccl_group({0, 1}, deadline); },
      {0, 1});
}

// Before NCCL is asked, so that it needs no GPU.
TEST(NcclTest, OneRankADevice) {
  try {
    comm::make_nccl_group({1, 0, 1});
    FAIL() << "a device is named twice";
  } catch (const RuleError& error) {
    EXPECT_EQ(error.rule(), "nccl-usage");
    EXPECT_STREQ(error.what(), "inputs must be on unique devices");
  }
}

TEST(NcclTest, IsWhatThisProgramWasLinkedWith) { EXPECT_NE(comm::kCudaGroups, nullptr); }

TEST_F(CudaTest, GroupsAreNcclsOnDistinctDevices) {
  EXPECT_EQ(comm::group_of({0, 0}).name(), "copying");
  if (cuda::device_count() < 2) GTEST_SKIP() << "there is only one GPU on this machine";
  comm::DeviceGroup& group = comm::group_of({0, 1});
  EXPECT_EQ(group.name(), "nccl");
  TensorList values = {full({5}, 3, gpu()), zeros({5}, Device("cuda:1"))};
  group.broadcast(values, 0);
  EXPECT_TRUE(equal(values[1].cpu(), full({5}, 3)));
  EXPECT_TRUE(equal(group.reduce(values, 1).cpu(), full({5}, 6)));
}

}  // namespace
}  // namespace placecheck::runtime
