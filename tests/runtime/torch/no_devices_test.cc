// With CUDA_VISIBLE_DEVICES empty, a CUDA build sees no device and says so.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdlib>

#include "tests/runtime/torch/messages.h"

namespace placecheck {
namespace {

TEST(NoDevices, CudaIsNotAvailable) {
  ASSERT_EQ(setenv("CUDA_VISIBLE_DEVICES", "", 1), 0);
  EXPECT_FALSE(torch::cuda::is_available());
  EXPECT_EQ(message_of([] { torch::ones({1}).to(torch::kCUDA); }), "No CUDA GPUs are available");
  EXPECT_EQ(message_of([] { torch::nn::Linear(1, 1)->to(torch::kCUDA); }),
            "No CUDA GPUs are available");
  torch::nn::Linear linear(2, 1);
  linear->forward(torch::ones({1, 2})).sum().backward();
  EXPECT_TRUE(linear->weight.grad().device().is_cpu());
}

}  // namespace
}  // namespace placecheck
