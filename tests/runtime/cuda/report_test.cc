// With PLACECHECK_CUDA_REPORT mistakes are written down, and the program goes on.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/runtime/cuda/sanitizers.h"

namespace {

std::string report_file() { return testing::TempDir() + "cuda_report"; }

// Before CUDA is used: the variable is read once.
class CudaReportTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::remove(report_file().c_str());
    setenv("PLACECHECK_CUDA_REPORT", report_file().c_str(), 1);
  }
};

// The entries' first lines that begin so.
std::vector<std::string> entries(const std::string& begin) {
  std::vector<std::string> found;
  std::ifstream in(report_file());
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(begin)) found.push_back(line);
  }
  return found;
}

TEST_F(CudaReportTest, ACopyIsMadeAllTheSame) {
  std::array<float, 4> host = {1, 2, 3, 4};
  float* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, sizeof(host)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host.data(), sizeof(host), cudaMemcpyDeviceToHost), cudaSuccess);
  host.fill(0);
  EXPECT_EQ(cudaMemcpy(host.data(), device, sizeof(host), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host[3], 4.0F);
  const auto found = entries("cuda-memcpy-kind");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0],
            "cuda-memcpy-kind: cudaMemcpy: CUDA error: invalid argument (cudaMemcpyDeviceToHost "
            "from memory of the host to memory of cuda:0)");
}

// Each access is seen, also to the same page, and has its effect.
TEST_F(CudaReportTest, TheHostIsLetThroughOneInstructionAtATime) {
  // A report from a signal is lawful where the program itself raised it.
  if (placecheck::cuda::kHasThreadSanitizer) GTEST_SKIP();
  int* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  volatile int* values = device;
  const std::size_t before = entries("cuda-pointer-placement").size();
  values[0] = 5;
  EXPECT_EQ(entries("cuda-pointer-placement").size(), before + 1);
  const int read = values[0];
  EXPECT_EQ(read, 5);
  EXPECT_EQ(entries("cuda-pointer-placement").size(), before + 2);
  int copy = 0;
  ASSERT_EQ(cudaMemcpy(&copy, device, sizeof(copy), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(copy, 5);
  EXPECT_EQ(entries("cuda-pointer-placement").size(), before + 2);
}

TEST_F(CudaReportTest, ThePlaceIsReportedOnce) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(cudaEventRecord(event), cudaSuccess);
  EXPECT_EQ(entries("cuda-current-device").size(), 1U);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

}  // namespace
