// Memory of the virtual CUDA runtime: who has it, who gives it back, and who may access it.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "tests/runtime/cuda/sanitizers.h"

namespace {

constexpr bool kIsSanitized =
    placecheck::cuda::kHasAddressSanitizer || placecheck::cuda::kHasThreadSanitizer;
constexpr std::size_t kBytes = 1024;

cudaPointerAttributes attributes_of(const void* pointer) {
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
  return attributes;
}

TEST(CudaMemoryTest, PointersKnowWhereTheyLead) {
  char* device = nullptr;
  char* pinned = nullptr;
  char* managed = nullptr;
  const std::vector<char> host(kBytes);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, kBytes), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, kBytes), cudaSuccess);
  EXPECT_EQ(attributes_of(device).type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes_of(device + kBytes - 1).device, 1);
  EXPECT_EQ(attributes_of(pinned).type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes_of(managed).type, cudaMemoryTypeManaged);
  EXPECT_EQ(attributes_of(host.data()).type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(attributes_of(device).type, cudaMemoryTypeUnregistered);
}

TEST(CudaMemoryTest, HostMemoryIsPinnedWhileItIsRegistered) {
  std::vector<char> memory(kBytes);
  EXPECT_EQ(cudaHostRegister(memory.data(), kBytes, cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(attributes_of(memory.data() + 8).type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostRegister(memory.data(), kBytes, cudaHostRegisterDefault),
            cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(memory.data()), cudaSuccess);
  EXPECT_EQ(attributes_of(memory.data()).type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaHostUnregister(memory.data()), cudaErrorHostMemoryNotRegistered);
}

TEST(CudaMemoryTest, EachKindIsGivenBackByItsOwnCall) {
  void* device = nullptr;
  void* pinned = nullptr;
  void* managed = nullptr;
  std::vector<char> host(kBytes);
  ASSERT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, kBytes), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, kBytes), cudaSuccess);
  EXPECT_EQ(cudaFree(host.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(host.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST(CudaMemoryTest, ADeviceHasSoMuchAndNoMore) {
  std::size_t free = 0;
  std::size_t total = 0;
  void* memory = nullptr;
  void* more = nullptr;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&memory, free / 2), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&more, free / 2 + 4096), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&more, free / 2 + 4096), cudaSuccess);
  EXPECT_EQ(cudaFree(more), cudaSuccess);
}

TEST(CudaMemoryTest, MemoryOfAStreamIsOnItsDevice) {
  cudaStream_t stream = nullptr;
  void* memory = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&memory, kBytes, stream), cudaSuccess);
  EXPECT_EQ(attributes_of(memory).device, 1);
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
}

using CudaMemoryDeathTest = testing::Test;

TEST(CudaMemoryDeathTest, TheHostDoesNotAccessADevice) {
  float* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
  EXPECT_DEATH(device[3] = 1.0F, "cuda-pointer-placement");
  EXPECT_DEATH(exit(device[3] > 0.0F ? 1 : 0), "memory of cuda:0 is accessed on the host");
}

TEST(CudaMemoryDeathTest, OtherFaultsAreNotExplained) {
  if (kIsSanitized) GTEST_SKIP();
  float* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
  ASSERT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EXIT(device[3] = 1.0F, testing::KilledBySignal(SIGSEGV), "^$");
}

TEST(CudaMemoryDeathTest, TheHostDoesNotGiveBackWhatADeviceHas) {
  if (kIsSanitized) GTEST_SKIP();
  void* device = nullptr;
  void* pinned = nullptr;
  ASSERT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, kBytes), cudaSuccess);
  EXPECT_DEATH(std::free(device), "free\\(\\): invalid pointer \\(it is memory of cuda:0\\)");
  EXPECT_DEATH(delete static_cast<char*>(pinned), "it is pinned memory");
}

}  // namespace
