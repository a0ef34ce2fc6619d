// libplacecheck_real.so before "real" libraries, which are the virtual ones here: what it judges,
// and that every call reaches them. It comes first among the libraries that this test is linked
// with.
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nccl.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

extern "C" int __cudaRegisterFunction(void** handle, const char* function, char* on_device,
                                      const char* name, int threads, void* thread, void* block,
                                      void* block_size, void* grid_size, int* warp);

namespace {

std::string report_file() { return testing::TempDir() + "real_report"; }

class RealCudaTest : public testing::Test {
 protected:
  // Before CUDA is used: the variables are read once.
  static void SetUpTestSuite() {
    std::remove(report_file().c_str());
    setenv("PLACECHECK_REAL_REPORT", report_file().c_str(), 1);
    setenv("PLACECHECK_VIRTUAL_DEVICES", "2", 1);
  }
  void SetUp() override { before_ = all().size(); }
  void TearDown() override { cudaSetDevice(0); }

  // The first lines of what was reported since the test began.
  std::vector<std::string> reported() const {
    const std::vector<std::string> lines = all();
    return {lines.begin() + static_cast<std::ptrdiff_t>(before_), lines.end()};
  }
  std::string only_report() const {
    const std::vector<std::string> lines = reported();
    EXPECT_EQ(lines.size(), 1U);
    return lines.empty() ? "" : lines.front();
  }

 private:
  static std::vector<std::string> all() {
    std::vector<std::string> lines;
    std::ifstream in(report_file());
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with(' ')) lines.push_back(line);
    }
    return lines;
  }

  std::size_t before_ = 0;
};

void* device_memory(std::size_t bytes = 64) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
  return memory;
}

TEST_F(RealCudaTest, ARightProgramIsForwardedInSilence) {
  std::array<float, 4> host = {1, 2, 3, 4};
  void* here = device_memory(sizeof(host));
  EXPECT_EQ(cudaMemcpy(here, host.data(), sizeof(host), cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  void* there = device_memory(sizeof(host));
  EXPECT_EQ(cudaMemcpyPeer(there, 1, here, 0, sizeof(host)), cudaSuccess);
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  host.fill(0);
  EXPECT_EQ(cudaMemcpyAsync(host.data(), there, sizeof(host), cudaMemcpyDefault, stream),
            cudaSuccess);
  EXPECT_EQ(host[3], 4.0F) << "the real library has copied";
  EXPECT_EQ(cudaMemset(there, 0, sizeof(host)), cudaSuccess);
  EXPECT_EQ(cudaFree(here), cudaSuccess) << "memory of a device that is not current";
  EXPECT_EQ(cudaFree(there), cudaSuccess);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_THAT(reported(), testing::IsEmpty());
}

TEST_F(RealCudaTest, ACopyIsJudgedAndReturnsCudasCode) {
  std::array<float, 4> host = {};
  void* device = device_memory();
  EXPECT_EQ(cudaMemcpy(device, host.data(), sizeof(host), cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(only_report(),
            "cuda-memcpy-kind: cudaMemcpy: CUDA error: invalid argument (cudaMemcpyDeviceToHost "
            "from memory of the host to memory of cuda:0)");
}

TEST_F(RealCudaTest, ReleasesAreJudged) {
  std::array<char, 16> host = {};
  EXPECT_EQ(cudaFree(host.data()), cudaErrorInvalidValue);
  EXPECT_TRUE(only_report().starts_with("cuda-pointer-placement: cudaFree"));
}

TEST_F(RealCudaTest, NumbersOfDevicesAreJudged) {
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  EXPECT_EQ(only_report(),
            "invalid-device: cudaSetDevice: CUDA error: invalid device ordinal (2 of 2 devices)");
}

TEST_F(RealCudaTest, EventsHaveADevice) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_TRUE(only_report().starts_with("cuda-current-device: cudaEventRecord"));
}

// A kernel as compilers announce it: void scale(float*, int).
TEST_F(RealCudaTest, ArgumentsOfKernelsAreJudged) {
  static const char kernel = 0;
  __cudaRegisterFunction(nullptr, &kernel, nullptr, "_Z5scalePfi", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  int count = 4;
  void* memory = device_memory();
  std::array<void*, 2> arguments = {static_cast<void*>(&memory), &count};
  EXPECT_EQ(cudaLaunchKernel(&kernel, dim3(1), dim3(1), arguments.data(), 0, nullptr), cudaSuccess);
  EXPECT_THAT(reported(), testing::IsEmpty());
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(&kernel, dim3(1), dim3(1), arguments.data(), 0, stream),
            cudaErrorInvalidResourceHandle);
  const std::vector<std::string> lines = reported();
  ASSERT_EQ(lines.size(), 2U) << "the stream and the memory are of cuda:0";
  EXPECT_TRUE(lines[0].starts_with("cuda-current-device: scale: ")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("cuda-current-device: scale: ")) << lines[1];
}

TEST_F(RealCudaTest, PeersThatAreEnabledAreReached) {
  void* memory = device_memory();
  static const char kernel = 0;
  __cudaRegisterFunction(nullptr, &kernel, nullptr, "_Z4readPKf", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  std::array<void*, 1> arguments = {static_cast<void*>(&memory)};
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(&kernel, dim3(1), dim3(1), arguments.data(), 0, nullptr), cudaSuccess);
  EXPECT_THAT(reported(), testing::IsEmpty());
  ASSERT_EQ(cudaDeviceDisablePeerAccess(0), cudaSuccess);
}

TEST_F(RealCudaTest, RoutinesOfBlasAreJudgedAndForwarded) {
  std::array<float, 4> host = {};
  auto* values = static_cast<float*>(device_memory(sizeof(host)));
  const float by = 2.0F;
  float sum = 1.0F;
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSscal(handle, 4, &by, values, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSdot(handle, 4, values, 1, values, 1, &sum), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(sum, 0.0F) << "the library's, which computes nothing";
  EXPECT_TRUE(reported().empty());
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cublasSscal(handle, 4, &by, values, 1), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_THAT(reported(), testing::ElementsAre(
                              testing::StartsWith("cuda-current-device: cublasSscal: CUBLAS"),
                              testing::StartsWith("cuda-current-device: cublasSscal: CUDA error")))
      << "the handle and the memory are of cuda:0";
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
}

TEST_F(RealCudaTest, OperandsAndScalarsOfBlas) {
  std::array<float, 4> host = {};
  auto* values = static_cast<float*>(device_memory(sizeof(host)));
  float sum = 0;
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  EXPECT_EXIT(
      {
        cublasSdot(handle, 4, host.data(), 1, values, 1, &sum);
        std::_Exit(reported().size() == 2 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "cublasSdot");
  EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
}

class RealNcclTest : public RealCudaTest {
 protected:
  void SetUp() override {
    RealCudaTest::SetUp();
    ASSERT_EQ(ncclCommInitAll(comms_.data(), 2, nullptr), ncclSuccess);
    for (int device = 0; device < 2; ++device) {
      ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
      memory_.at(static_cast<std::size_t>(device)) = device_memory();
    }
  }
  void TearDown() override {
    for (ncclComm_t comm : comms_) EXPECT_EQ(ncclCommDestroy(comm), ncclSuccess);
    RealCudaTest::TearDown();
  }

  ncclResult_t all_reduce(std::size_t rank, void* memory, std::size_t count = 4) {
    return ncclAllReduce(memory, memory, count, ncclFloat, ncclSum, comms_.at(rank), nullptr);
  }

  std::array<ncclComm_t, 2> comms_{};
  std::array<void*, 2> memory_{};
};

TEST_F(RealNcclTest, ARightGroupIsForwardedInSilence) {
  EXPECT_EQ(ncclGroupStart(), ncclSuccess);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(all_reduce(rank, memory_.at(rank)), ncclSuccess);
  }
  EXPECT_EQ(ncclGroupEnd(), ncclSuccess);
  EXPECT_THAT(reported(), testing::IsEmpty());
}

// Whatever NCCL would do with it: the call that would wait for ever returns.
TEST_F(RealNcclTest, WhatWouldHangIsRefused) {
  std::thread([this] { EXPECT_EQ(all_reduce(0, memory_[0], 4), ncclSuccess); }).join();
  std::thread([this] { all_reduce(1, memory_[1], 8); }).join();
  EXPECT_TRUE(only_report().starts_with("nccl-usage: ncclAllReduce"));
}

// Last: a kernel that has gone wrong leaves the device unusable.
TEST_F(RealNcclTest, BuffersAreOnTheRanksDevice) {
  EXPECT_EQ(ncclGroupStart(), ncclSuccess);
  all_reduce(0, memory_[1]);
  EXPECT_EQ(ncclGroupEnd(), ncclSuccess);
  EXPECT_TRUE(only_report().starts_with("nccl-usage: ncclAllReduce"));
}

}  // namespace
