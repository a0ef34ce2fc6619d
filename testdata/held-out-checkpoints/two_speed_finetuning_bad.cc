#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <iostream>
#include <memory>
#include <vector>

using placecheck::parallel::DataParallel;
namespace nn = torch::nn;

class VggLikeImpl : public nn::Cloneable<VggLikeImpl> {
 public:
  VggLikeImpl() { reset(); }

  void reset() override {
    features_ = register_module(
        "features", nn::Sequential(nn::Conv2d(nn::Conv2dOptions(3, 4, 3).padding(1)), nn::ReLU(),
                                   nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({2, 2}))));
    classifier_ = register_module(
        "classifier", nn::Sequential(nn::Linear(16, 8), nn::ReLU(), nn::Linear(8, 5)));
  }

  torch::Tensor forward(torch::Tensor x) {
    return classifier_->forward(features_->forward(x).flatten(1));
  }

 private:
  nn::Sequential features_{nullptr}, classifier_{nullptr};
};
TORCH_MODULE(VggLike);

// The classifier learns ten times as fast as the features.
template <typename Net>
std::vector<torch::optim::OptimizerParamGroup> two_speeds(Net& net, double lr) {
  std::vector<torch::optim::OptimizerParamGroup> groups;
  auto children = net.named_children();
  auto add = [&groups](const std::shared_ptr<nn::Module>& part, double rate) {
    groups.emplace_back(part->parameters(), std::make_unique<torch::optim::SGDOptions>(rate));
  };
  add(children["classifier"], lr * 10); // expect: state-dict-prefix
  add(children["features"], lr); // expect: state-dict-prefix
  return groups;
}

int main() {
  torch::manual_seed(14);
  const torch::Device main_device(torch::kCUDA, 0);

  VggLike net;
  net->to(main_device);
  DataParallel model(net);
  std::cout << "using " << model.device_ids().size() << " GPUs\n";

  torch::optim::SGD optimizer(two_speeds(model, 1e-3), torch::optim::SGDOptions(1e-3));
  for (int step = 0; step < 3; ++step) {
    auto images = torch::randn({6, 3, 8, 8});
    auto labels = torch::randint(5, {6}, torch::kLong).to(main_device);
    optimizer.zero_grad();
    auto loss = nn::functional::cross_entropy(model.forward(images), labels);
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }
}
