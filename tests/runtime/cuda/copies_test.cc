// Copies of the virtual CUDA runtime: every direction between every two kinds of memory.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t kCount = 64;
constexpr std::size_t kBytes = kCount * sizeof(float);

// Where a pointer may lead, and which side a copy takes it for: -1 for either.
struct End {
  const char* name;
  int is_on_device;
  float* pointer;
};

std::vector<End> ends() {
  static std::array<float, kCount> host{};
  float* device = nullptr;
  float* pinned = nullptr;
  float* managed = nullptr;
  EXPECT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
  EXPECT_EQ(cudaMallocHost(&pinned, kBytes), cudaSuccess);
  EXPECT_EQ(cudaMallocManaged(&managed, kBytes), cudaSuccess);
  return {{"host", 0, host.data()},
          {"device", 1, device},
          {"pinned", -1, pinned},
          {"managed", -1, managed}};
}

bool fits(const End& end, bool is_meant_on_device) {
  return end.is_on_device < 0 || (end.is_on_device == 1) == is_meant_on_device;
}

TEST(CudaCopiesTest, ADirectionFitsWhatThePointersSay) {
  const std::vector<End> all = ends();
  for (const End& to : all) {
    for (const End& from : all) {
      for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; ++kind) {
        const bool writes = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        const bool reads = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        const bool is_lawful = kind == cudaMemcpyDefault || (fits(to, writes) && fits(from, reads));
        const auto expected = is_lawful ? cudaSuccess : cudaErrorInvalidValue;
        const auto direction = static_cast<cudaMemcpyKind>(kind);
        EXPECT_EQ(cudaMemcpy(to.pointer, from.pointer, kBytes, direction), expected)
            << from.name << " to " << to.name << " by " << kind;
        EXPECT_EQ(cudaMemcpyAsync(to.pointer, from.pointer, kBytes, direction), expected)
            << from.name << " to " << to.name << " by " << kind;
      }
    }
  }
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(CudaCopiesTest, BytesArriveByWayOfADevice) {
  std::array<float, kCount> sent{};
  std::iota(sent.begin(), sent.end(), 1.0F);
  std::array<float, kCount> received{};
  float* first = nullptr;
  float* second = nullptr;
  ASSERT_EQ(cudaMalloc(&first, kBytes), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&second, kBytes), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(first, sent.data(), kBytes, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpyPeer(second, 1, first, 0, kBytes), cudaSuccess);
  ASSERT_EQ(cudaMemset(second, 0, sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(received.data(), second, kBytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(received[0], 0.0F);
  sent[0] = 0.0F;
  EXPECT_EQ(received, sent);
}

TEST(CudaCopiesTest, ACopyBetweenDevicesIsToNameTheirs) {
  float* first = nullptr;
  float* second = nullptr;
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&first, kBytes), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&second, kBytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeer(second, 0, first, 1, kBytes), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyPeer(second, 1, first, 1, kBytes), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyPeer(second, 1, first, 0, kBytes), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST(CudaCopiesTest, RowsKeepTheirPitch) {
  std::array<std::array<float, 4>, 3> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].fill(static_cast<float>(i));
  auto received = decltype(rows){};
  float* device = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, sizeof(rows[0]), rows.size()), cudaSuccess);
  EXPECT_GE(pitch, sizeof(rows[0]));
  EXPECT_EQ(cudaMemcpy2D(device, pitch, rows.data(), sizeof(rows[0]), sizeof(rows[0]), rows.size(),
                         cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(received.data(), sizeof(rows[0]), device, pitch, sizeof(rows[0]),
                         rows.size(), cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(received, rows);
  EXPECT_EQ(cudaMemcpy2D(received.data(), sizeof(rows[0]), device, pitch, sizeof(rows[0]),
                         rows.size(), cudaMemcpyDeviceToDevice),
            cudaErrorInvalidValue);
}

TEST(CudaCopiesTest, WhatGoesBeyondMemoryIsRefused) {
  std::array<char, 2 * kBytes> host{};
  char* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host.data(), kBytes + 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device + 1, host.data(), kBytes, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, host.data(), kBytes, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  ASSERT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host.data(), kBytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host.data(), 0, kBytes), cudaErrorInvalidValue);
}

TEST(CudaCopiesTest, APointerThatLeadsNowhereBreaksNoRule) {
  std::array<char, kBytes> host{};
  void* nowhere = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_EQ(munmap(nowhere, kBytes), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaMemcpy(nowhere, host.data(), kBytes, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
