// Launches on the virtual CUDA runtime: what is found in a kernel's name, and what is said of its
// arguments. Kernels are announced as compilers announce them.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <vector>

#include "runtime/cuda/kernels.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier): what compilers call.
extern "C" int __cudaRegisterFunction(void** handle, const char* function, char* on_device,
                                      const char* name, int threads, void* thread, void* block,
                                      void* block_size, void* grid_size, int* warp);

namespace placecheck::cuda {
namespace {

using Flags = std::vector<bool>;

TEST(CudaSymbolsTest, PointersAreFoundInSignatures) {
  EXPECT_EQ(pointers_of("fill(float*, float)"), (Flags{true, false}));
  EXPECT_EQ(pointers_of("none()"), Flags{});
  EXPECT_EQ(pointers_of("c_function"), Flags{});
  EXPECT_EQ(pointers_of("void add<float, 4>(float*, float const*, int)"),
            (Flags{true, true, false}));
  EXPECT_EQ(pointers_of("void of<std::pair<int*, int> >(std::pair<int*, int>, int*)"),
            (Flags{false, true}));
  EXPECT_EQ(pointers_of("(anonymous namespace)::k(unsigned char**)"), (Flags{true}));
  EXPECT_EQ(pointers_of("k(void (*)(int*), int*)"), (Flags{false, true}));
  EXPECT_EQ(pointers_of("rows(float (*) [16], int)"), (Flags{false, false}));
}

void stub_of_fill() {}

// fill(float*, float), launched with this pointer.
cudaError_t launch(const void* pointer, cudaStream_t stream = nullptr) {
  static const bool kIsKnown = [] {
    __cudaRegisterFunction(nullptr, reinterpret_cast<const char*>(&stub_of_fill), nullptr,
                           "_Z4fillPff", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    return true;
  }();
  EXPECT_TRUE(kIsKnown);
  float by = 1.0F;
  std::array<void*, 2> arguments = {static_cast<void*>(&pointer), &by};
  return cudaLaunchKernel(reinterpret_cast<const void*>(&stub_of_fill), dim3(1), dim3(32),
                          arguments.data(), 0, stream);
}

// What the next call returns after a launch that itself succeeds.
[[noreturn]] void leave_after(cudaError_t of_launch) {
  const bool is_as_expected =
      of_launch == cudaSuccess && cudaDeviceSynchronize() == cudaErrorIllegalAddress &&
      cudaGetLastError() == cudaErrorIllegalAddress && cudaFree(nullptr) == cudaErrorIllegalAddress;
  std::_Exit(is_as_expected ? 0 : 1);
}

TEST(CudaLaunchesTest, MemoryThatTheDeviceReachesIsLawful) {
  float* device = nullptr;
  float* pinned = nullptr;
  float* managed = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
  for (const float* pointer : {device, device + 4, pinned, managed, static_cast<float*>(nullptr)}) {
    EXPECT_EQ(launch(pointer), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
}

TEST(CudaLaunchesTest, StreamsAndConfigurationsAreChecked) {
  constexpr int kNoKernel = 0;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(launch(nullptr, stream), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(launch(nullptr, stream), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(&kNoKernel, dim3(1), dim3(1), nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaLaunchKernel(&kNoKernel, dim3(1), dim3(2048), nullptr, 0, nullptr),
            cudaErrorInvalidConfiguration);
}

using CudaLaunchesDeathTest = testing::Test;

TEST(CudaLaunchesDeathTest, MemoryOfTheHostStopsTheKernel) {
  std::vector<float> host(16);
  EXPECT_EXIT(leave_after(launch(host.data())), testing::ExitedWithCode(0),
              "memory of the host is used on cuda:0\\) \\[cuda-pointer-placement\\]");
}

TEST(CudaLaunchesDeathTest, MemoryOfAnotherDeviceStopsTheKernelUnlessTheyArePeers) {
  float* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EXIT(leave_after(launch(device)), testing::ExitedWithCode(0),
              "memory of cuda:0, cuda:1 is current\\) \\[cuda-current-device\\]");
  ASSERT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  EXPECT_EQ(launch(device), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaDeviceDisablePeerAccess(0), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST(CudaLaunchesDeathTest, BlasReadsMemoryOfTheDevice) {
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  std::vector<float> host(16);
  const auto scale = [&] {
    const float by = 2.0F;
    const auto status = cublasSscal(handle, 16, &by, host.data(), 1);
    return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  };
  EXPECT_EXIT(leave_after(scale()), testing::ExitedWithCode(0), "cublasSscal.*cuda-pointer");
}

TEST(CudaLaunchesDeathTest, BlasReadsScalarsWhereItsPointerModeSays) {
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  float* values = nullptr;
  float* by = nullptr;
  ASSERT_EQ(cudaMalloc(&values, 64), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&by, sizeof(float)), cudaSuccess);
  EXPECT_EXIT(cublasSscal(handle, 16, by, values, 1), testing::KilledBySignal(SIGSEGV),
              "cublasSscal: Segmentation fault \\(memory of cuda:0 is accessed on the host\\)");
  ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSscal(handle, 16, by, values, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSdot(handle, 16, values, 1, values, 1, by), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  float sum = 0;
  const auto dot = [&] {
    const auto status = cublasSdot(handle, 16, values, 1, values, 1, &sum);
    return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
  };
  EXPECT_EXIT(leave_after(dot()), testing::ExitedWithCode(0), "cublasSdot.*cuda-pointer");
}

}  // namespace
}  // namespace placecheck::cuda
