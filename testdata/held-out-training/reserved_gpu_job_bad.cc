#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// Runs two independent jobs: the "large" one on the GPU given by the job description, a small
// baseline on the CPU.
struct Job {
  std::string name;
  int gpu;
  int64_t width;
};

// Keeps other processes' cards out of reach.
void reserve_gpu(const Job& job) {
  const std::string value = std::to_string(job.gpu);
  setenv("CUDA_VISIBLE_DEVICES", value.c_str(), /*overwrite=*/1);
}

torch::nn::Sequential build(int64_t width) {
  torch::nn::Sequential net;
  net->push_back("in", torch::nn::Linear(4, width));
  net->push_back("act", torch::nn::ReLU());
  net->push_back("out", torch::nn::Linear(width, 1));
  return net;
}

double fit(torch::nn::Sequential net, const torch::Tensor& x, const torch::Tensor& y, int steps) {
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.05).nesterov(true).momentum(0.9));
  double last = 0;
  for (int i = 0; i < steps; ++i) {
    sgd.zero_grad();
    auto loss = torch::l1_loss(net->forward(x), y);
    loss.backward();
    sgd.step();
    last = loss.item<double>();
  }
  return last;
}

int main() {
  Job job{"large", 1, 64};
  reserve_gpu(job);

  torch::manual_seed(1);
  auto x = torch::randn({50, 4});
  auto y = x.abs().sum(1, true);

  auto baseline = build(4);
  std::cout << "baseline " << fit(baseline, x, y, 10) << "\n";

  torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(job.gpu)); // expect: visible-devices
  auto net = build(job.width);
  net->to(device);
  auto inputs = x.to(device);
  auto targets = y.to(device);
  std::cout << job.name << " " << fit(net, inputs, targets, 10) << "\n";

  torch::NoGradGuard guard;
  auto difference = net->forward(inputs).cpu() - baseline->forward(x);
  std::cout << "mean difference " << difference.abs().mean().item<double>() << "\n";
  return 0;
}
