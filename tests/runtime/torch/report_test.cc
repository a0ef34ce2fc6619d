// PLACECHECK_TORCH_REPORT: mistakes are written down and the program goes on.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace placecheck {
namespace {

std::vector<std::string> mistakes_in(const std::string& file) {
  std::vector<std::string> mistakes;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("  ")) mistakes.push_back(line.substr(0, line.find(' ')));
  }
  return mistakes;
}

TEST(Report, ARunShowsAllMistakes) {
  const std::string file = testing::TempDir() + "/report";
  std::filesystem::remove(file);
  ASSERT_EQ(setenv("PLACECHECK_TORCH_REPORT", file.c_str(), 1), 0);
  torch::nn::Linear net(2, 2);
  net->to(torch::Device("cuda:1"));
  torch::Tensor output;
  for (int i = 0; i < 3; ++i) output = net->forward(torch::ones({1, 2}));
  EXPECT_EQ(output.device(), torch::Device("cuda:1"));
  EXPECT_TRUE(
      torch::allclose(output.cpu(), net->forward(torch::ones({1, 2}).to(output.device())).cpu()));
  output = output + torch::ones({1, 2});
  EXPECT_EQ(torch::ones({1}, torch::Device("cuda:5")).sum().item<float>(), 1);
  EXPECT_EQ(mistakes_in(file),
            (std::vector<std::string>{"device-mismatch:", "device-mismatch:", "invalid-device:"}))
      << "each place once";
}

}  // namespace
}  // namespace placecheck
