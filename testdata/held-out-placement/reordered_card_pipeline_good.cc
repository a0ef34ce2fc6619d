#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// Two-stage pipeline. The physical order of the cards is turned around, so that stage 0 gets the
// card in the second slot.

static std::vector<int> parse_ids(const std::string& text) {
  std::vector<int> ids;
  std::stringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) ids.push_back(std::stoi(item));
  return ids;
}

struct Stage {
  torch::nn::Linear layer;
  torch::Device device;

  Stage(int64_t in, int64_t out, int logical) : layer(in, out), device(torch::kCUDA, logical) {
    layer->to(device);
  }
  torch::Tensor operator()(const torch::Tensor& x) { return layer->forward(x.to(device)); }
};

int main() {
  const std::string order = "1,0";
  setenv("CUDA_VISIBLE_DEVICES", order.c_str(), 1);
  const auto physical = parse_ids(order);
  torch::manual_seed(13);

  std::vector<Stage> stages;
  int64_t width = 10;
  for (size_t i = 0; i < physical.size(); ++i) {
    stages.emplace_back(width, width / 2, static_cast<int>(i));
    width /= 2;
    std::cout << "stage " << i << " on physical GPU " << physical[i] << "\n";
  }

  std::vector<torch::Tensor> parameters;
  for (auto& stage : stages)
    for (auto& p : stage.layer->parameters()) parameters.push_back(p);
  torch::optim::SGD optimizer(parameters, 0.05);

  for (int step = 0; step < 4; ++step) {
    auto x = torch::randn({8, 10});
    auto target = torch::ones({8, 2});
    auto h = torch::relu(stages[0](x));
    auto y = stages[1](h);
    auto loss = torch::mse_loss(y, target.to(y.device()));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }
}
