// Fine-tuning: the head that replaces the old one is made after the net was moved.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct PretrainedImpl : torch::nn::Cloneable<PretrainedImpl> {
  PretrainedImpl() { reset(); }
  void reset() override {
    backbone = register_module("backbone", torch::nn::Linear(16, 32));
    head = register_module("head", torch::nn::Linear(32, 100));
  }
  torch::Tensor forward(torch::Tensor x) { return head(torch::relu(backbone(x))); }

  torch::nn::Linear backbone{nullptr}, head{nullptr};
};
TORCH_MODULE(Pretrained);

void replace_head(Pretrained& net, int64_t classes) {
  for (torch::Tensor& parameter : net->backbone->parameters()) parameter.set_requires_grad(false);
  net->head = net->replace_module("head", torch::nn::Linear(32, classes));
}

std::shared_ptr<DataParallel> prepare(Pretrained& net, const torch::Device& first,
                                      const torch::Device& second) {
  net->to(first);
  replace_head(net, 5);
  return std::make_shared<DataParallel>(net, DeviceIds{first, second});
}

int main() {
  const torch::Device first(torch::kCUDA, 0), second(torch::kCUDA, 1);
  Pretrained net;
  auto parallel = prepare(net, first, second);
  torch::optim::SGD optimizer(net->head->parameters(), 0.01);
  for (int turn = 0; turn < 2; ++turn) {
    torch::Tensor data = torch::rand({12, 16}), target = torch::randint(5, {12}, torch::kLong);
    torch::Tensor output = parallel->forward(data);  // expect: data-parallel-placement
    torch::cross_entropy_loss(output, target.to(first)).backward();
    optimizer.step();
  }
}
