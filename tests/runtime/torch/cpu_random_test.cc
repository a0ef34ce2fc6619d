// Where the environment asks for it, virtual devices draw from the CPU's generator.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdlib>

namespace placecheck {
namespace {

TEST(CpuRandom, DevicesDrawWhatTheCpuWouldDraw) {
  ASSERT_EQ(setenv("PLACECHECK_TORCH_CPU_RANDOM", "1", 1), 0);
  torch::manual_seed(3);
  const torch::Tensor first = torch::randn({4});
  const torch::Tensor dropped = torch::dropout(torch::ones({32}), 0.5, true);
  torch::manual_seed(3);
  EXPECT_TRUE(torch::randn({4}, torch::Device("cuda:1")).cpu().equal(first));
  const torch::Tensor ones = torch::ones({32}, torch::Device("cuda:0"));
  EXPECT_TRUE(torch::dropout(ones, 0.5, true).cpu().equal(dropped));
}

}  // namespace
}  // namespace placecheck
