// How many virtual devices there are is read from the environment, once, when CUDA is first used.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdlib>

#include "tests/runtime/torch/messages.h"

namespace placecheck {
namespace {

TEST(VisibleDevices, AreChosenBeforeTheFirstUseAndNotAfter) {
  ASSERT_EQ(setenv("PLACECHECK_VIRTUAL_DEVICES", "4", 1), 0);
  ASSERT_EQ(setenv("CUDA_VISIBLE_DEVICES", "3,1,2,9,0", 1), 0);
  EXPECT_EQ(static_cast<int>(torch::cuda::device_count()), 3)
      << "a number that is no device's ends the list";
  EXPECT_NO_THROW(torch::ones({1}, torch::Device("cuda:2")));
  EXPECT_EQ(message_of([] {
              torch::ones({1}, torch::Device("cuda:3"));
            }).find("invalid-device: CUDA error: invalid device ordinal"),
            0u);
  ASSERT_EQ(setenv("CUDA_VISIBLE_DEVICES", "0", 1), 0);
  EXPECT_EQ(static_cast<int>(torch::cuda::device_count()), 3);
}

}  // namespace
}  // namespace placecheck
