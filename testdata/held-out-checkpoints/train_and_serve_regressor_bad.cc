#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <string>

// Small regression net. It is trained on the first GPU and served from the second one, so that
// the next training run can start while predictions are still going on.

struct RegressorImpl : torch::nn::Module {
  RegressorImpl(int64_t inputs, int64_t hidden)
      : first(register_module("first", torch::nn::Linear(inputs, hidden))),
        mid(register_module("mid", torch::nn::Linear(hidden, hidden))),
        out(register_module("out", torch::nn::Linear(hidden, 1))) {}

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(first->forward(x));
    x = torch::relu(mid->forward(x));
    return out->forward(x);
  }

  torch::nn::Linear first{nullptr}, mid{nullptr}, out{nullptr};
};
TORCH_MODULE(Regressor);

static void fit(Regressor& net, const torch::Device& device, int epochs) {
  net->to(device);
  net->train();
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  auto x = torch::randn({32, 6}, device);
  auto y = x.sum(1, /*keepdim=*/true);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    sgd.zero_grad();
    auto loss = torch::mse_loss(net->forward(x), y);
    loss.backward();
    sgd.step();
    std::cout << "epoch " << epoch << " loss " << loss.item<float>() << "\n";
  }
}

int main() {
  torch::manual_seed(7);
  const torch::Device train_device("cuda:0");
  const torch::Device serve_device("cuda:1");
  const std::string path = "/tmp/regressor.pt";

  Regressor net(6, 16);
  fit(net, train_device, 4);
  torch::save(net, path);

  Regressor served(6, 16);
  served->to(serve_device);
  torch::load(served, path); // expect: missing-map-location
  served->eval();

  torch::NoGradGuard no_grad;
  for (int request = 0; request < 3; ++request) {
    auto features = torch::randn({2, 6}).to(serve_device);
    auto prediction = served->forward(features);
    std::cout << "request " << request << ": " << prediction.cpu().flatten() << "\n";
  }
  std::remove(path.c_str());
  return 0;
}
