// Ranks whose calls do not fit together: with checks, an error of the rule in every rank, soon.
#include <gtest/gtest.h>

#include <chrono>

#include "runtime/comm/communicator.h"
#include "tests/runtime/testing/machine.h"
#include "tests/runtime/testing/ranks.h"

namespace placecheck::runtime::comm {
namespace {

using namespace std::chrono_literals;

// Nothing here may wait for the deadline.
constexpr std::chrono::milliseconds kDeadline = 60s;

class RankChecksTest : public MachineTest {
 protected:
  RankChecksTest() : start_(std::chrono::steady_clock::now()) {}
  ~RankChecksTest() override {
    EXPECT_LT(std::chrono::steady_clock::now() - start_, kDeadline / 2);
  }

  // All three ranks throw this, as an error of nccl-usage.
  static void expect_error(const std::function<void(Communicator&)>& body,
                           const std::string& text) {
    Ranks ranks = make_local_group({gpu(0), gpu(1), gpu(2)}, kDeadline);
    for (const RankError& error : run_ranks(ranks, body)) {
      EXPECT_EQ(error.text, text);
      EXPECT_EQ(error.rule, "nccl-usage");
    }
  }

 private:
  std::chrono::steady_clock::time_point start_;
};

TEST_F(RankChecksTest, WhatIsRightPasses) {
  Ranks ranks = make_local_group({gpu(2), gpu(0)}, kDeadline);
  auto errors = run_ranks(ranks, [](Communicator& rank) {
    Device device = gpu(rank.rank() == 0 ? 2 : 0);
    Tensor value = full({3}, rank.rank() + 1, device);
    rank.all_reduce(value);
    EXPECT_TRUE(equal(value.cpu(), full({3}, 3)));
    rank.broadcast(value, 1);
    rank.reduce(value, 0);
    EXPECT_EQ(rank.all_gather(value).size(), 2u);
    rank.barrier();
  });
  for (const RankError& error : errors) EXPECT_EQ(error.text, "");
}

TEST_F(RankChecksTest, ATensorIsOnItsRanksDevice) {
  expect_error(
      [](Communicator& rank) {
        rank.all_reduce(ones({2}, gpu(rank.rank() == 1 ? 0 : rank.rank())));
      },
      "input and output elements have to be cuda dense Tensors: all_reduce of rank 1 needs "
      "one on cuda:1, but got one on cuda:0");
  expect_error(
      [](Communicator& rank) {
        rank.broadcast(ones({2}, rank.rank() == 2 ? Device(kCPU) : gpu(rank.rank())), 0);
      },
      "input and output elements have to be cuda dense Tensors: broadcast of rank 2 needs one on "
      "cuda:2, but got one on cpu");
}

TEST_F(RankChecksTest, ARootIsARank) {
  for (int root : {-1, 3}) {
    expect_error([root](Communicator& rank) { rank.reduce(ones({2}, gpu(rank.rank())), root); },
                 "reduce: root must be one of 3 ranks, but got " + std::to_string(root));
  }
  // The others' root is right: they do not wait for the one that is out.
  expect_error(
      [](Communicator& rank) {
        rank.broadcast(ones({2}, gpu(rank.rank())), rank.rank() == 0 ? 7 : 1);
      },
      "broadcast: root must be one of 3 ranks, but got 7");
}

TEST_F(RankChecksTest, RanksAgree) {
  expect_error(
      [](Communicator& rank) {
        rank.all_reduce(ones({rank.rank() == 2 ? 5 : 4}, gpu(rank.rank())));
      },
      "all inputs must have the same number of elements: 4 in rank 0, 5 in rank 2");
  expect_error(
      [](Communicator& rank) {
        auto options = TensorOptions(rank.rank() == 1 ? kDouble : kFloat);
        rank.all_gather(ones({4}, options.device(gpu(rank.rank()))));
      },
      "all inputs and outputs must be of the same Tensor dtype: Float in rank 0, Double in rank 1");
  expect_error(
      [](Communicator& rank) { rank.broadcast(ones({4}, gpu(rank.rank())), rank.rank() / 2); },
      "all ranks must name the same root: 0 in rank 0, 1 in rank 2");
  expect_error(
      [](Communicator& rank) {
        if (rank.rank() == 1) return rank.barrier();
        rank.all_reduce(ones({4}, gpu(rank.rank())));
      },
      "rank 0 is in all_reduce while rank 1 is in barrier");
}

// A group that was told of no devices takes tensors from any, but its ranks agree all the same.
TEST_F(RankChecksTest, WithoutDevicesAnyWillDo) {
  auto errors = run_ranks(make_local_group(2, kDeadline), [](Communicator& rank) {
    rank.all_reduce(ones({2}, gpu(3)));
    rank.all_reduce(ones({rank.rank() + 1}, gpu(3)));
  });
  for (const RankError& error : errors) {
    EXPECT_EQ(error.text,
              "all inputs must have the same number of elements: 1 in rank 0, 2 in rank 1");
    EXPECT_EQ(error.rule, "nccl-usage");
  }
}

TEST_F(RankChecksTest, AnAbortEndsTheComparisonToo) {
  auto errors = run_ranks(make_local_group({gpu(0), gpu(1)}, kDeadline), [](Communicator& rank) {
    if (rank.rank() == 1) return rank.abort("rank 1 is out of memory");
    rank.all_reduce(ones({2}, gpu(0)));
  });
  EXPECT_EQ(errors[0].text, "rank 1 is out of memory");
  EXPECT_EQ(errors[0].rule, "");
}

}  // namespace
}  // namespace placecheck::runtime::comm
