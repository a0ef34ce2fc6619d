#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

// Causal attention blocks; the masks are made once for each length.

const torch::Tensor& causal_mask(int64_t length, const torch::Device& device) {
  static std::map<int64_t, torch::Tensor> cache;
  auto found = cache.find(length);
  if (found == cache.end()) {
    auto mask = torch::ones({length, length}, torch::TensorOptions(torch::kBool).device(device)).triu(1);
    found = cache.emplace(length, mask).first;
  }
  return found->second;
}

struct AttentionImpl : torch::nn::Module {
  explicit AttentionImpl(int64_t width) : scale(1.0 / std::sqrt(static_cast<double>(width))) {
    qkv = register_module("qkv", torch::nn::Linear(width, 3 * width));
    out = register_module("out", torch::nn::Linear(width, width));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto parts = qkv(x).chunk(3, -1);
    auto scores = torch::matmul(parts[0], parts[1].transpose(1, 2)) * scale;
    const auto& mask = causal_mask(x.size(1), x.device());
    scores = scores.masked_fill(mask, -1e9);
    return x + out(torch::matmul(torch::softmax(scores, -1), parts[2]));
  }

  double scale;
  torch::nn::Linear qkv{nullptr}, out{nullptr};
};
TORCH_MODULE(Attention);

int main() {
  torch::manual_seed(46);
  torch::NoGradGuard no_grad;
  const std::vector<torch::Device> devices = {torch::Device("cuda:0"), torch::Device("cuda:1")};

  // Two layers on each device.
  std::vector<Attention> layers;
  for (int i = 0; i < 4; ++i) {
    Attention layer(8);
    layer->to(devices[i / 2]);
    layers.push_back(layer);
  }

  for (int64_t length : {5, 9, 5}) {
    auto x = torch::randn({2, length, 8});
    for (size_t i = 0; i < layers.size(); ++i) {
      x = x.to(devices[i / 2]);
      x = layers[i](x); // expect: device-mismatch
    }
    std::cout << "length " << length << ": " << x.norm().item<float>() << " on " << x.device() << std::endl;
  }
  return 0;
}
