// Devices, streams, events and handles of the virtual CUDA runtime: each of one device.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <thread>

namespace {

int current() {
  int device = -1;
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  return device;
}

class CudaDevicesTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cudaSetDevice(0), cudaSuccess); }
};

TEST_F(CudaDevicesTest, TheSelectionIsAThreadsOwn) {
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  int of_thread = -1;
  std::thread([&] {
    of_thread = current();
    cudaSetDevice(0);
  }).join();
  EXPECT_EQ(of_thread, 0);
  EXPECT_EQ(current(), 1);
}

TEST_F(CudaDevicesTest, OnlyDevicesThatAreThereAreSelected) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(cudaSetDevice(count), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(current(), 0);
  EXPECT_STREQ(cudaGetErrorString(cudaGetLastError()), "invalid device ordinal");
}

TEST_F(CudaDevicesTest, PeersAreEnabledInOneDirection) {
  int can = 0;
  ASSERT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
}

TEST_F(CudaDevicesTest, AnEventIsRecordedOnItsDevice) {
  cudaEvent_t event = nullptr;
  cudaStream_t own = nullptr;
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&own), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, own), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, other), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(other), cudaErrorInvalidResourceHandle);
}

TEST_F(CudaDevicesTest, TimeIsMeasuredBetweenEventsOfOneDevice) {
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  cudaEvent_t other = nullptr;
  float milliseconds = 0.0F;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end, cudaEventBlockingSync), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventRecord(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&other), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(other), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, other), cudaErrorInvalidResourceHandle);
}

TEST_F(CudaDevicesTest, ABlasHandleWorksOnItsDevice) {
  cublasHandle_t handle = nullptr;
  cudaStream_t other = nullptr;
  float* x = nullptr;
  const float one = 1.0F;
  float sum = 7.0F;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaMalloc(&x, 64), cudaSuccess);
  EXPECT_EQ(cublasSaxpy(handle, 16, &one, x, 1, x, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSdot(handle, 16, x, 1, x, 1, &sum), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(sum, 0.0F);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  EXPECT_EQ(cublasSetStream(handle, other), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(cublasSaxpy(handle, 16, &one, x, 1, x, 1), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSaxpy(handle, 16, &one, x, 1, x, 1), CUBLAS_STATUS_NOT_INITIALIZED);
}

}  // namespace
