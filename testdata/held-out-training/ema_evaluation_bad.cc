#include <torch/torch.h>

#include <iostream>
#include <string>
#include <unordered_map>

// Exponential moving average of the weights, used for evaluation.

class Ema {
 public:
  Ema(const torch::nn::Module& module, double decay) : decay_(decay) {
    for (const auto& item : module.named_parameters()) {
      shadow_[item.key()] = item.value().detach().clone();
    }
  }

  void update(const torch::nn::Module& module) {
    torch::NoGradGuard guard;
    for (const auto& item : module.named_parameters()) {
      auto& average = shadow_.at(item.key());
      average.mul_(decay_).add_(item.value(), 1.0 - decay_); // expect: device-mismatch
    }
  }

  void apply_to(torch::nn::Module& module) const {
    torch::NoGradGuard guard;
    for (auto& item : module.named_parameters()) item.value().copy_(shadow_.at(item.key()));
  }

 private:
  double decay_;
  std::unordered_map<std::string, torch::Tensor> shadow_;
};

struct LeNetImpl : torch::nn::Module {
  LeNetImpl()
      : conv1(register_module("conv1", torch::nn::Conv2d(1, 4, 3))),
        conv2(register_module("conv2", torch::nn::Conv2d(4, 4, 3))),
        fc(register_module("fc", torch::nn::Linear(4 * 4 * 4, 5))) {}
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(conv1(x));
    x = torch::relu(conv2(x));
    return torch::log_softmax(fc(x.flatten(1)), 1);
  }
  torch::nn::Conv2d conv1, conv2;
  torch::nn::Linear fc;
};
TORCH_MODULE(LeNet);

int main() {
  torch::manual_seed(30);
  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available()) {
    std::cout << "training on GPU\n";
    device = torch::Device(torch::kCUDA, 0);
  }

  LeNet net;
  Ema ema(*net, 0.95);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.5));

  auto labels = torch::arange(10).remainder(5);
  auto images = torch::randn({10, 1, 8, 8}) + labels.view({-1, 1, 1, 1});
  images = images.to(device);
  labels = labels.to(device);

  for (int step = 0; step < 6; ++step) {
    optimizer.zero_grad();
    auto loss = torch::nll_loss(net(images), labels);
    loss.backward();
    optimizer.step();
    ema.update(*net);
    std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }

  LeNet averaged;
  averaged->to(device);
  ema.apply_to(*averaged);
  torch::NoGradGuard guard;
  std::cout << "loss of the average " << torch::nll_loss(averaged(images), labels).item<float>() << "\n";
}
