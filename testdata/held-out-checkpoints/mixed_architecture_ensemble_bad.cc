#include <torch/torch.h>

#include <functional>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

// Ensemble of different architectures, one on each GPU, averaged at the end.

namespace models {

using Factory = std::function<torch::nn::Sequential(int64_t, int64_t)>;

const std::unordered_map<std::string, Factory>& all() {
  static const std::unordered_map<std::string, Factory> table = {
      {"logistic", [](int64_t in, int64_t out) { return torch::nn::Sequential(torch::nn::Linear(in, out)); }},
      {"mlp",
       [](int64_t in, int64_t out) {
         return torch::nn::Sequential(torch::nn::Linear(in, 16), torch::nn::ReLU(), torch::nn::Linear(16, out));
       }},
      {"bottleneck",
       [](int64_t in, int64_t out) {
         return torch::nn::Sequential(torch::nn::Linear(in, 2), torch::nn::Tanh(), torch::nn::Linear(2, out));
       }},
  };
  return table;
}

}  // namespace models

struct Member {
  std::string name;
  torch::nn::Sequential net;
  torch::Device device;
};

std::vector<Member> build_ensemble(const std::vector<std::string>& names) {
  const size_t gpus = torch::cuda::device_count();
  std::vector<Member> members;
  for (size_t i = 0; i < names.size(); ++i) {
    torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(i % gpus));
    auto net = models::all().at(names[i])(6, 3);
    net->to(device);
    members.push_back({names[i], net, device});
  }
  return members;
}

void train(Member& member, const torch::Tensor& x, const torch::Tensor& y) {
  torch::optim::Adam adam(member.net->parameters(), 0.02);
  auto inputs = x.to(member.device);
  auto targets = y.to(member.device);
  for (int epoch = 0; epoch < 4; ++epoch) {
    adam.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(member.net->forward(inputs), targets);
    loss.backward();
    adam.step();
  }
}

torch::Tensor predict(std::vector<Member>& members, const torch::Tensor& x) {
  torch::NoGradGuard guard;
  std::vector<torch::Tensor> probabilities;
  for (auto& member : members) {
    member.net->eval();
    probabilities.push_back(member.net->forward(x.to(member.device)).softmax(1));
  }
  return torch::stack(probabilities).mean(0); // expect: device-mismatch
}

int main() {
  torch::manual_seed(61);
  auto x = torch::randn({24, 6});
  auto y = x.narrow(1, 0, 3).argmax(1);
  auto ensemble = build_ensemble({"logistic", "mlp", "bottleneck"});
  for (auto& member : ensemble) {
    train(member, x, y);
    std::cout << "trained " << member.name << " on " << member.device << std::endl;
  }
  auto mean = predict(ensemble, x);
  auto accuracy = mean.argmax(1).cpu().eq(y).to(torch::kFloat).mean();
  std::cout << "ensemble accuracy " << accuracy.item<float>() << "\n";
}
