// Between the epochs the net is taken to the host, to be evaluated there, and stays there.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    features = register_module("features", torch::nn::Linear(10, 20));
    scores = register_module("scores", torch::nn::Linear(20, 3));
  }
  torch::Tensor forward(torch::Tensor x) { return scores(torch::tanh(features(x))); }

  torch::nn::Linear features{nullptr}, scores{nullptr};
};
TORCH_MODULE(Net);

float accuracy_on_host(Net net, const torch::Tensor& data, const torch::Tensor& target) {
  torch::NoGradGuard no_grad;
  net->eval();
  net->to(torch::kCPU);
  torch::Tensor right = net->forward(data).argmax(1).eq(target);
  return right.to(torch::kFloat).mean().item<float>();
}

void train_epoch(DataParallel& parallel, torch::optim::Optimizer& optimizer,
                 const torch::Tensor& data, const torch::Tensor& target) {
  parallel.train();
  for (int turn = 0; turn < 3; ++turn) {
    optimizer.zero_grad();
    torch::Tensor output = parallel.forward(data);  // expect: data-parallel-placement
    torch::cross_entropy_loss(output, target.to(output.device())).backward();
    optimizer.step();
  }
}

int main() {
  const torch::Device card("cuda:0");
  Net net;
  net->to(card);
  DataParallel parallel(net, DeviceIds{card, torch::Device("cuda:1")});
  torch::optim::SGD optimizer(net->parameters(), 0.05);
  torch::Tensor data = torch::rand({30, 10}), target = torch::randint(3, {30}, torch::kLong);
  float best = 0;
  for (int epoch = 0; epoch < 3; ++epoch) {
    train_epoch(parallel, optimizer, data, target);
    best = std::max(best, accuracy_on_host(net, data, target));
  }
}
