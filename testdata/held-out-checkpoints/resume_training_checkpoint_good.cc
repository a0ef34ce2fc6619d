#include <torch/torch.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

namespace {

struct CheckpointPaths {
  std::string model = "/tmp/resume_model.pt";
  std::string optimizer = "/tmp/resume_optim.pt";
};

class Mlp : public torch::nn::Module {
 public:
  Mlp() {
    body = register_module("body", torch::nn::Sequential(torch::nn::Linear(4, 12), torch::nn::Tanh(),
                                                         torch::nn::Linear(12, 3)));
  }
  torch::Tensor forward(const torch::Tensor& x) { return body->forward(x); }

 private:
  torch::nn::Sequential body{nullptr};
};

float train_epochs(Mlp& net, torch::optim::Optimizer& optimizer, torch::Device device, int n) {
  float last = 0;
  for (int i = 0; i < n; ++i) {
    auto x = torch::randn({16, 4}).to(device);
    auto y = torch::randint(0, 3, {16}, torch::kLong).to(device);
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net.forward(x), y);
    loss.backward();
    optimizer.step();
    last = loss.item<float>();
  }
  return last;
}

}  // namespace

int main() {
  torch::manual_seed(1);
  const CheckpointPaths paths;

  {
    // First part of the training, on the first GPU.
    torch::Device device(torch::kCUDA, 0);
    auto net = std::make_shared<Mlp>();
    net->to(device);
    torch::optim::Adam adam(net->parameters(), torch::optim::AdamOptions(1e-2));
    std::cout << "part one: " << train_epochs(*net, adam, device, 3) << std::endl;
    torch::save(net, paths.model);
    torch::save(adam, paths.optimizer);
  }
  {
    // The job was moved to another GPU: everything of the checkpoint goes there.
    torch::Device device(torch::kCUDA, 1);
    auto net = std::make_shared<Mlp>();
    torch::load(net, paths.model, device);
    torch::optim::Adam adam(net->parameters(), torch::optim::AdamOptions(1e-2));
    torch::load(adam, paths.optimizer, device);
    std::cout << "part two: " << train_epochs(*net, adam, device, 3) << std::endl;
    for (const auto& parameter : net->named_parameters()) {
      std::cout << parameter.key() << " on " << parameter.value().device() << "\n";
    }
  }
  std::remove(paths.model.c_str());
  std::remove(paths.optimizer.c_str());
}
