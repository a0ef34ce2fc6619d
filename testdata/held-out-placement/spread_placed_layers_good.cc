#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

// Layers spread over the cards; each one asks where its input is and fetches it if need be.

class PlacedLinear : public torch::nn::Module {
 public:
  PlacedLinear(int64_t in, int64_t out, torch::Device device) {
    weight = register_parameter("weight", torch::randn({out, in}, device) * 0.3);
    bias = register_parameter("bias", torch::zeros({out}, device));
  }

  torch::Tensor forward(torch::Tensor x) {
    if (x.device() != weight.device()) {
      ++transfers;
      x = x.to(weight.device());
    }
    return torch::addmm(bias, x, weight.t());
  }

  int transfers = 0;
  torch::Tensor weight, bias;
};

class Spread : public torch::nn::Module {
 public:
  Spread(const std::vector<int64_t>& widths, const std::vector<torch::Device>& devices) {
    for (size_t i = 0; i + 1 < widths.size(); ++i) {
      auto layer = std::make_shared<PlacedLinear>(widths[i], widths[i + 1], devices[i % devices.size()]);
      layers_.push_back(register_module("layer" + std::to_string(i), layer));
    }
  }

  torch::Tensor forward(torch::Tensor x) {
    for (size_t i = 0; i < layers_.size(); ++i) {
      x = layers_[i]->forward(x);
      if (i + 1 < layers_.size()) x = torch::leaky_relu(x);
    }
    return x;
  }

  int transfers() const {
    int n = 0;
    for (const auto& layer : layers_) n += layer->transfers;
    return n;
  }

 private:
  std::vector<std::shared_ptr<PlacedLinear>> layers_;
};

int main() {
  torch::manual_seed(37);
  Spread net({5, 9, 9, 9, 2}, {torch::Device("cuda:0"), torch::Device("cuda:1")});
  torch::optim::Adagrad optimizer(net.parameters(), torch::optim::AdagradOptions(0.05));

  for (int step = 0; step < 3; ++step) {
    auto x = torch::randn({7, 5});
    auto y = net.forward(x);
    auto target = x.slice(1, 0, 2).to(y.device());
    auto loss = torch::mse_loss(y, target);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << " on " << loss.device() << "\n";
  }
  std::cout << net.transfers() << " transfers\n";
  return 0;
}
