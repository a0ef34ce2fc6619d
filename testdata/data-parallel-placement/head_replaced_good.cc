// Fine-tuning: the new head is moved by itself, or the net after it has its new head.
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

void train(Pretrained& net, const torch::Device& first) {
  auto parallel =
      std::make_shared<DataParallel>(net, DeviceIds{first, torch::Device(torch::kCUDA, 1)});
  torch::Tensor data = torch::rand({12, 16}), target = torch::randint(5, {12}, torch::kLong);
  torch::Tensor output = parallel->forward(data);
  torch::cross_entropy_loss(output, target.to(first)).backward();
}

int main() {
  const torch::Device first(torch::kCUDA, 0);
  Pretrained head_moved;
  head_moved->to(first);
  replace_head(head_moved, 5);
  head_moved->head->to(first);
  train(head_moved, first);

  Pretrained all_moved;
  replace_head(all_moved, 5);
  all_moved->to(first);
  train(all_moved, first);
}
