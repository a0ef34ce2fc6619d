#include <torch/torch.h>

#include <iostream>
#include <map>
#include <utility>

// Mask cache that knows of devices, and a temperature that is a scalar on the host.

class MaskCache {
 public:
  torch::Tensor get(int64_t length, const torch::Device& device) {
    const auto key = std::make_pair(length, static_cast<int>(device.index()));
    auto found = masks_.find(key);
    if (found == masks_.end()) {
      auto mask = torch::ones({length, length}, torch::kBool).triu(1).to(device);
      found = masks_.emplace(key, mask).first;
    }
    return found->second;
  }
  size_t size() const { return masks_.size(); }

 private:
  std::map<std::pair<int64_t, int>, torch::Tensor> masks_;
};

class Attention : public torch::nn::Module {
 public:
  Attention(int64_t dim, MaskCache& cache) : cache_(cache), temperature_(torch::tensor(0.7)) {
    q_ = register_module("q", torch::nn::Linear(dim, dim));
    k_ = register_module("k", torch::nn::Linear(dim, dim));
    v_ = register_module("v", torch::nn::Linear(dim, dim));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto scores = q_(x).matmul(k_(x).transpose(1, 2)) / temperature_;
    scores = scores.masked_fill(cache_.get(x.size(1), x.device()), -1e9);
    return torch::softmax(scores, -1).matmul(v_(x));
  }

 private:
  MaskCache& cache_;
  torch::Tensor temperature_;
  torch::nn::Linear q_{nullptr}, k_{nullptr}, v_{nullptr};
};

int main() {
  torch::manual_seed(36);
  MaskCache cache;
  Attention attention(6, cache);

  auto run = [&](int64_t length, torch::Device device) {
    attention.to(device);
    torch::optim::SGD optimizer(attention.parameters(), 0.1);
    auto x = torch::randn({2, length, 6}, device);
    auto loss = torch::mse_loss(attention.forward(x), x);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << length << " on " << device << ": " << loss.item<float>() << "\n";
  };

  for (int64_t length : {4, 5}) {
    run(length, torch::Device("cuda:0"));
    run(length, torch::Device("cuda:0"));
  }
  attention.zero_grad(true);
  run(4, torch::Device("cuda:1"));
  std::cout << cache.size() << " masks\n";
}
