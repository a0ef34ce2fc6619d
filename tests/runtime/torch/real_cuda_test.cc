// Where CUDA is in the process already the library steps aside: here hooks, a device guard and an
// allocator that are not ours are registered before it is loaded, as those of libtorch_cuda.so are.
// All of them stay, no operator gets a kernel of ours, and what is left is the check that libtorch
// lacks, that of DataParallel.
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/FakeGuardImpl.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/functions/comm.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"
#include "runtime/torch/virtual_cuda/install.h"
#include "tests/runtime/torch/messages.h"

namespace placecheck {
namespace {

constexpr int kRealDevices = 3;

// GPUs that become smaller.
extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  properties->totalGlobalMem = std::size_t{16} << (30 - device);
  return cudaSuccess;
}
extern "C" cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute,
                                              int /*device*/) {
  *value = attribute == cudaDevAttrMultiProcessorCount ? 108 : 0;
  return cudaSuccess;
}

class RealHooks final : public at::CUDAHooksInterface {
 public:
  bool hasCUDA() const override { return true; }
  int getNumGPUs() const override { return kRealDevices; }
#if TORCH_VERSION_MAJOR >= 2
  c10::DeviceIndex deviceCount() const override { return kRealDevices; }
#endif
};

using RealGuard = c10::impl::FakeGuardImpl<c10::kCUDA>;

const RealGuard& real_guard() {
  static const auto* kGuard = new RealGuard;
  return *kGuard;
}

// Operators with a kernel for CUDA: newer releases have a few of their own in the CPU half.
int count_cuda_kernels() {
  int count = 0;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (op && op->hasKernelForDispatchKey(c10::DispatchKey::CUDA)) ++count;
  }
  return count;
}

int cuda_kernels_before = -1;

// Before at_load's.
__attribute__((constructor(101))) void register_real_cuda() {
  at::CUDAHooksRegistry()->Register(
      "CUDAHooks", [](at::CUDAHooksArgs) -> std::unique_ptr<at::CUDAHooksInterface> {
        return std::make_unique<RealHooks>();
      });
  static const c10::impl::DeviceGuardImplRegistrar kGuard(c10::kCUDA, &real_guard());
  c10::SetAllocator(c10::kCUDA, c10::GetDefaultCPUAllocator());
  cuda_kernels_before = count_cuda_kernels();
}

TEST(RealCuda, IsSeenAndKept) {
  EXPECT_TRUE(virtual_cuda::has_real_cuda());
  EXPECT_EQ(static_cast<int>(torch::cuda::device_count()), kRealDevices);
  EXPECT_EQ(c10::impl::getDeviceGuardImpl(c10::kCUDA), &real_guard());
  EXPECT_EQ(c10::GetAllocator(c10::kCUDA), c10::GetDefaultCPUAllocator());
}

// Asked for by hand it does not install anything, either.
TEST(RealCuda, IsNotReplacedLater) {
  virtual_cuda::install();
  EXPECT_EQ(static_cast<int>(torch::cuda::device_count()), kRealDevices);
  EXPECT_EQ(c10::impl::getDeviceGuardImpl(c10::kCUDA), &real_guard());
}

TEST(RealCuda, GetsNoKernelsOfOurs) {
  EXPECT_EQ(count_cuda_kernels(), cuda_kernels_before);
  // Nor does a fallback of ours: libtorch says itself that it has none.
  const std::string text = message_of([] { torch::ones({2}).to(torch::Device("cuda:0")); });
  EXPECT_NE(text.find("with arguments from the 'CUDA' backend"), std::string::npos) << text;
}

// Ours, in front of libtorch's, leave the work to those behind them.
TEST(RealCuda, ScattersAndGathersItself) {
  const at::Tensor one = torch::ones({1});
  torch::autograd::Scatter scatter({torch::Device("cuda:0")});
  EXPECT_EQ(scatter.apply({one}).at(0).item<float>(), 2);
  torch::autograd::Gather gather(torch::Device("cuda:0"));
  EXPECT_EQ(gather.apply({one}).at(0).item<float>(), 3);
}

TEST(RealCuda, WarnsOfUnequalGpus) {
  const torch::nn::Linear net(8, 2);
  const auto warning_of = [&](const parallel::DeviceIds& devices) {
    testing::internal::CaptureStderr();
    parallel::DataParallel{net, devices};
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(warning_of({0, 0}), "");
  EXPECT_NE(warning_of({1, 2}).find("You may want to exclude GPU 2 which\n    has less than 75% of "
                                    "the memory or cores of GPU 1."),
            std::string::npos);
}

TEST(RealCuda, KeepsTheCheckThatLibtorchLacks) {
  torch::nn::Linear net(8, 2);
  parallel::DataParallel parallel(net, {torch::Device("cuda:0"), torch::Device("cuda:1")});
  EXPECT_EQ(message_of([&] { parallel.forward(torch::rand({16, 8})); }),
            "data-parallel-placement: module must have its parameters and buffers on device cuda:0 "
            "(device_ids[0]) but found one of them on device: cpu");
}

}  // namespace
}  // namespace placecheck
