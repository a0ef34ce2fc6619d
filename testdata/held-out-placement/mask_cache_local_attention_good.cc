#include <torch/torch.h>

#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Windowed attention weights with cached masks, for every device and length.

class MaskCache {
 public:
  torch::Tensor get(int64_t length, int64_t window, const torch::Device& device) {
    const Key key{device.str(), {length, window}};
    auto& mask = masks_[key];
    if (!mask.defined()) {
      auto row = torch::arange(length, torch::TensorOptions(torch::kLong).device(device));
      mask = (row.unsqueeze(0) - row.unsqueeze(1)).abs().gt(window);
      ++made_;
    }
    return mask;
  }

  int made() const { return made_; }

 private:
  using Key = std::pair<std::string, std::pair<int64_t, int64_t>>;
  std::map<Key, torch::Tensor> masks_;
  int made_ = 0;
};

struct LocalAttention {
  LocalAttention(int64_t width, int64_t reach, torch::Device device)
      : window(reach), query(width, width), key(width, width) {
    query->to(device);
    key->to(device);
  }

  torch::Tensor forward(const torch::Tensor& x, MaskCache& masks) {
    auto scores = torch::matmul(query(x), key(x).transpose(1, 2));
    scores.masked_fill_(masks.get(x.size(1), window, x.device()), -std::numeric_limits<float>::infinity());
    return torch::matmul(torch::softmax(scores, -1), x);
  }

  int64_t window;
  torch::nn::Linear query, key;
};

int main() {
  torch::manual_seed(80);
  torch::NoGradGuard no_grad;
  MaskCache masks;
  std::vector<torch::Device> devices{torch::kCPU, {torch::kCUDA, 0}, {torch::kCUDA, 1}};
  std::vector<LocalAttention> layers;
  for (const auto& device : devices) layers.emplace_back(6, 2, device);

  for (int64_t length : {4, 8, 8, 4}) {
    auto x = torch::randn({3, length, 6});
    auto total = torch::zeros({}, torch::kFloat);
    for (size_t i = 0; i < devices.size(); ++i) {
      auto y = layers[i].forward(x.to(devices[i]), masks);
      total += y.sum().cpu();
    }
    std::cout << "length " << length << " sum " << total.item<float>() << " masks " << masks.made() << "\n";
  }
  return masks.made() == 6 ? 0 : 1;
}
