#include <torch/torch.h>

#include <iostream>
#include <sstream>
#include <string>

// Trains on the host, saves, and serves the saved weights from a GPU.

struct QuantileNetImpl : torch::nn::Module {
  QuantileNetImpl(int64_t in, int64_t quantiles) {
    fc1 = register_module("fc1", torch::nn::Linear(in, 16));
    fc2 = register_module("fc2", torch::nn::Linear(16, quantiles));
    levels = register_buffer("levels", torch::linspace(0.1, 0.9, quantiles));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    return fc2(torch::relu(fc1(x)));
  }

  torch::Tensor loss(const torch::Tensor& x, const torch::Tensor& y) {
    auto error = y - forward(x);
    return torch::max(levels * error, (levels - 1) * error).mean();
  }

  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
  torch::Tensor levels;
};
TORCH_MODULE(QuantileNet);

static std::string train_and_save() {
  QuantileNet net(3, 5);
  torch::optim::Adam optimizer(net->parameters(), 1e-2);
  for (int i = 0; i < 20; ++i) {
    auto x = torch::rand({32, 3});
    auto y = x.sum(1, true) + 0.1 * torch::randn({32, 1});
    optimizer.zero_grad();
    auto loss = net->loss(x, y);
    loss.backward();
    optimizer.step();
  }
  std::ostringstream out;
  torch::save(net, out);
  return out.str();
}

static QuantileNet serve_from(const std::string& blob, torch::Device device) {
  QuantileNet net(3, 5);
  net->to(device);
  std::istringstream in(blob);
  torch::load(net, in); // expect: missing-map-location
  net->eval();
  return net;
}

int main() {
  torch::manual_seed(40);
  const torch::Device device(torch::kCUDA, 0);
  auto blob = train_and_save();
  std::cout << "checkpoint of " << (blob.empty() ? "nothing" : "the network") << "\n";

  auto net = serve_from(blob, device);
  torch::NoGradGuard no_grad;
  for (double value : {0.0, 0.5, 1.0}) {
    auto query = torch::full({1, 3}, value, device);
    auto quantiles = net->forward(query).cpu();
    std::cout << "x = " << value << ":";
    for (int64_t i = 0; i < quantiles.size(1); ++i) std::cout << ' ' << quantiles[0][i].item<float>();
    std::cout << "\n";
  }
  return 0;
}
