// The predicates of the rules for raw CUDA and NCCL.
#include <gtest/gtest.h>

#include "rules/cuda_current_device.h"
#include "rules/cuda_memcpy_kind.h"
#include "rules/cuda_pointer_placement.h"
#include "rules/nccl_usage.h"

namespace placecheck::rules {
namespace {

constexpr DeviceFact kHost = DeviceFact::cpu();
constexpr DeviceFact kFirst = DeviceFact::cuda(0);
constexpr DeviceFact kSecond = DeviceFact::cuda(1);
constexpr DeviceFact kSome = DeviceFact::cuda_any_index();
constexpr DeviceFact kNothing = DeviceFact::unknown();

TEST(CudaMemcpyKind, OneWrongEndBreaksIt) {
  using cuda_memcpy_kind::Direction;
  using cuda_memcpy_kind::judge;
  EXPECT_EQ(judge(kFirst, kHost, Direction::kHostToDevice), Verdict::kHolds);
  EXPECT_EQ(judge(kHost, kSome, Direction::kDeviceToHost), Verdict::kHolds);
  EXPECT_EQ(judge(kFirst, kSecond, Direction::kDeviceToDevice), Verdict::kHolds);
  EXPECT_EQ(judge(kFirst, kNothing, Direction::kDeviceToHost), Verdict::kBroken);
  EXPECT_EQ(judge(kNothing, kHost, Direction::kDeviceToDevice), Verdict::kBroken);
  EXPECT_EQ(judge(kFirst, kNothing, Direction::kHostToDevice), Verdict::kUnknown);
  EXPECT_EQ(judge(kHost, kHost, Direction::kDefault), Verdict::kHolds);
  EXPECT_EQ(cuda_memcpy_kind::fitting(kHost, kFirst), "cudaMemcpyDeviceToHost");
  EXPECT_EQ(cuda_memcpy_kind::fitting(kHost, kNothing), "");
}

TEST(CudaMemcpyKind, ACopyBetweenDevicesNamesTheOwnerOfEachPointer) {
  using cuda_memcpy_kind::judge_owner;
  EXPECT_EQ(judge_owner(kFirst, kFirst), Verdict::kHolds);
  EXPECT_EQ(judge_owner(kFirst, kSecond), Verdict::kBroken);
  EXPECT_EQ(judge_owner(kFirst, kSome), Verdict::kUnknown);
  EXPECT_EQ(judge_owner(kSome, kFirst), Verdict::kUnknown);
  EXPECT_EQ(judge_owner(kHost, kFirst), Verdict::kUnknown);
  EXPECT_EQ(judge_owner(kNothing, kFirst), Verdict::kUnknown);
}

TEST(CudaPointerPlacement, EachUserHasItsMemory) {
  using cuda_pointer_placement::judge;
  using cuda_pointer_placement::User;
  EXPECT_EQ(judge(User::kDevice, {kHost, false}), Verdict::kBroken);
  EXPECT_EQ(judge(User::kDevice, {kHost, true}), Verdict::kHolds);
  EXPECT_EQ(judge(User::kDevice, {kSome, false}), Verdict::kHolds);
  EXPECT_EQ(judge(User::kHost, {kSome, false}), Verdict::kBroken);
  EXPECT_EQ(judge(User::kHost, {kHost, true}), Verdict::kHolds);
  EXPECT_EQ(judge(User::kDeviceRelease, {kHost, true}), Verdict::kBroken);
  EXPECT_EQ(judge(User::kHostRelease, {kHost, true}), Verdict::kBroken);
  EXPECT_EQ(judge(User::kHostRelease, {kHost, false}), Verdict::kHolds);
  EXPECT_EQ(judge(User::kPinnedRelease, {kFirst, false}), Verdict::kBroken);
  for (User user : {User::kDevice, User::kHost, User::kDeviceRelease, User::kHostRelease})
    EXPECT_EQ(judge(user, {kNothing, false}), Verdict::kUnknown);
}

TEST(CudaCurrentDevice, PeersMayReadEachOther) {
  using cuda_current_device::judge_handle;
  using cuda_current_device::judge_memory;
  EXPECT_EQ(judge_memory(kFirst, kSecond, false), Verdict::kBroken);
  EXPECT_EQ(judge_memory(kFirst, kSecond, true), Verdict::kUnknown);
  EXPECT_EQ(judge_memory(kFirst, kFirst, false), Verdict::kHolds);
  EXPECT_EQ(judge_memory(kHost, kFirst, false), Verdict::kUnknown);
  EXPECT_EQ(judge_memory(kSome, kFirst, false), Verdict::kUnknown);
  EXPECT_EQ(judge_handle(kFirst, kSecond), Verdict::kBroken);
  EXPECT_EQ(judge_handle(kFirst, kSome), Verdict::kUnknown);
}

TEST(NcclUsage, OneThreadAsksSeveralRanksInAGroup) {
  EXPECT_EQ(nccl_usage::judge_order(false, 0, 1), Verdict::kBroken);
  EXPECT_EQ(nccl_usage::judge_order(true, 0, 1), Verdict::kHolds);
  EXPECT_EQ(nccl_usage::judge_order(false, 1, 1), Verdict::kHolds);
}

}  // namespace
}  // namespace placecheck::rules
