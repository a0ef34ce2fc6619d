// NCCL on virtual devices: ranks, groups, and what is asked of them.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <nccl.h>

#include <array>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

constexpr std::size_t kCount = 16;

class CudaNcclTest : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(cudaSetDevice(i), cudaSuccess);
      ASSERT_EQ(cudaMalloc(&buffers[i], kCount * sizeof(float)), cudaSuccess);
      ASSERT_EQ(cudaStreamCreate(&streams[i]), cudaSuccess);
    }
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    ASSERT_EQ(ncclCommInitAll(comms.data(), 2, nullptr), ncclSuccess);
  }

  ncclResult_t all_reduce(std::size_t rank, std::size_t count = kCount) {
    return ncclAllReduce(buffers[rank], buffers[rank], count, ncclFloat, ncclSum, comms[rank],
                         streams[rank]);
  }

  std::array<ncclComm_t, 2> comms{};
  std::array<float*, 2> buffers{};
  std::array<cudaStream_t, 2> streams{};
};

TEST_F(CudaNcclTest, RanksAreAskedTogether) {
  EXPECT_EQ(ncclGroupStart(), ncclSuccess);
  EXPECT_EQ(all_reduce(0), ncclSuccess);
  EXPECT_EQ(all_reduce(1), ncclSuccess);
  EXPECT_EQ(ncclGroupEnd(), ncclSuccess);
  EXPECT_EQ(ncclGroupEnd(), ncclInvalidUsage);
}

TEST_F(CudaNcclTest, OneThreadDoesNotAskThemOneAfterTheOther) {
  EXPECT_EQ(all_reduce(0), ncclSuccess);
  EXPECT_EQ(all_reduce(0), ncclSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(all_reduce(1), ncclInvalidUsage);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("[nccl-usage]"), std::string::npos);
}

TEST_F(CudaNcclTest, AThreadForEachRankIsLawful) {
  std::array<ncclResult_t, 2> results{};
  std::thread first([&] { results[0] = all_reduce(0); });
  std::thread second([&] { results[1] = all_reduce(1); });
  first.join();
  second.join();
  EXPECT_EQ(results, (std::array<ncclResult_t, 2>{ncclSuccess, ncclSuccess}));
}

TEST_F(CudaNcclTest, RanksAgreeAlsoBetweenThreads) {
  EXPECT_EQ(all_reduce(0), ncclSuccess);
  ncclResult_t result = ncclSuccess;
  std::thread([&] { result = all_reduce(1, kCount / 2); }).join();
  EXPECT_EQ(result, ncclInvalidUsage);
}

TEST_F(CudaNcclTest, BuffersAndStreamsAreOnTheRanksDevice) {
  const auto send = [&](const float* buffer, cudaStream_t stream) {
    return ncclSend(buffer, kCount, ncclFloat, 1, comms[0], stream);
  };
  EXPECT_EQ(send(buffers[0], streams[0]), ncclSuccess);
  EXPECT_EQ(send(buffers[0], nullptr), ncclSuccess);
  EXPECT_EQ(send(buffers[0], streams[1]), ncclUnhandledCudaError);
  EXPECT_EXIT(
      {
        send(buffers[1], streams[0]);
        std::_Exit(cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1);
      },
      testing::ExitedWithCode(0), "needs one on cuda:0, but got one on cuda:1 \\[nccl-usage\\]");
}

TEST_F(CudaNcclTest, RootsAreRanks) {
  const auto broadcast = [&](int root) {
    return ncclBroadcast(buffers[0], buffers[0], kCount, ncclFloat, root, comms[0], streams[0]);
  };
  EXPECT_EQ(broadcast(1), ncclSuccess);
  EXPECT_EQ(broadcast(2), ncclInvalidArgument);
  EXPECT_EQ(broadcast(-1), ncclInvalidArgument);
}

TEST_F(CudaNcclTest, DevicesAreListedOnce) {
  std::array<int, 2> devices = {1, 1};
  std::array<ncclComm_t, 2> others{};
  EXPECT_EQ(ncclCommInitAll(others.data(), 2, devices.data()), ncclInvalidUsage);
}

TEST_F(CudaNcclTest, RanksWithOneIdBelongTogether) {
  ncclUniqueId id;
  std::array<ncclComm_t, 2> others{};
  ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
  EXPECT_EQ(ncclGroupStart(), ncclSuccess);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cudaSetDevice(i), cudaSuccess);
    EXPECT_EQ(ncclCommInitRank(&others[static_cast<std::size_t>(i)], 2, id, i), ncclSuccess);
  }
  EXPECT_EQ(ncclGroupEnd(), ncclSuccess);
  int device = -1;
  EXPECT_EQ(ncclCommCuDevice(others[1], &device), ncclSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(ncclCommInitRank(others.data(), 2, id, 2), ncclInvalidArgument);
  EXPECT_EQ(ncclCommDestroy(others[1]), ncclSuccess);
  EXPECT_EQ(ncclCommCuDevice(others[1], &device), ncclInvalidArgument);
}

TEST_F(CudaNcclTest, ARankThatIsDoneBeforeTheNextComesHasItsDevice) {
  ncclUniqueId id;
  ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
  const auto result_of = [&](int rank) {
    ncclResult_t result = ncclSuccess;
    std::thread([&] {
      ncclComm_t comm = nullptr;
      result = ncclCommInitRank(&comm, 2, id, rank);
      if (result == ncclSuccess) ncclCommDestroy(comm);
    }).join();
    return result;
  };
  EXPECT_EQ(result_of(0), ncclSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(result_of(1), ncclInvalidUsage) << "both are on cuda:0";
  EXPECT_NE(testing::internal::GetCapturedStderr().find("[nccl-usage]"), std::string::npos);
}

TEST_F(CudaNcclTest, AGroupThatIsLeftOpenIsSaidAtTheEndOfItsThread) {
  testing::internal::CaptureStderr();
  std::thread([] { ncclGroupStart(); }).join();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("ncclGroupStart"), std::string::npos);
}

}  // namespace
