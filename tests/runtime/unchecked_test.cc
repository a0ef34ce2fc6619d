// //runtime has no checks: nothing stands between a program and its group or its kernels.
#include <gtest/gtest.h>

#include "runtime/comm/device_group.h"
#include "runtime/tensor/op_row.h"
#include "tests/runtime/testing/machine.h"
#include "tests/runtime/testing/ranks.h"

namespace placecheck::runtime {
namespace {

class UncheckedTest : public MachineTest {};

TEST_F(UncheckedTest, NothingIsLinkedThatChecks) {
  EXPECT_EQ(kOpChecks, nullptr);
  EXPECT_EQ(comm::kRankChecks, nullptr);
  EXPECT_EQ(comm::kGroupChecks, nullptr);
}

// What is misplaced is found by the kernel.
TEST_F(UncheckedTest, MisplacedOperandsReachTheKernel) {
  auto run = [] { ones({2}, gpu(0)) + ones({2}, gpu(1)); };
  EXPECT_EQ(rule_of(run), "");
  EXPECT_TRUE(error_of(run).starts_with("CUDA error: an illegal memory access was encountered"));
}

// The virtual group compares what it needs itself, and knows of no rule.
TEST_F(UncheckedTest, RanksThatDisagreeBreakNoRule) {
  auto ranks = comm::make_local_group({gpu(0), gpu(1)});
  auto errors = run_ranks(ranks, [](comm::Communicator& rank) {
    rank.all_reduce(ones({1}, gpu(0)));  // rank 1's is on another device, which nobody looks at
    rank.all_reduce(ones({rank.rank() + 1}, gpu(rank.rank())));
  });
  for (const RankError& error : errors) {
    EXPECT_EQ(error.text, "all inputs must have the same number of elements");
    EXPECT_EQ(error.rule, "");
  }
}

}  // namespace
}  // namespace placecheck::runtime
