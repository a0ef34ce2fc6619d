#include <torch/torch.h>

#include <iostream>
#include <vector>

#include "runtime/torch/data_parallel.h"

// Image classifier on two GPUs. The second GPU leads, as the first one also shows the desktop.

struct SmallConvImpl : torch::nn::Cloneable<SmallConvImpl> {
  explicit SmallConvImpl(int64_t classes) : classes(classes) { reset(); }
  void reset() override {
    using torch::nn::Conv2dOptions;
    features = register_module(
        "features", torch::nn::Sequential(torch::nn::Conv2d(Conv2dOptions(3, 6, 3).padding(1)),
                                          torch::nn::BatchNorm2d(6), torch::nn::ReLU()));
    classifier = register_module("classifier", torch::nn::Linear(6, classes));
  }
  torch::Tensor forward(torch::Tensor x) {
    return classifier(features->forward(x).mean({2, 3}));
  }
  int64_t classes;
  torch::nn::Sequential features{nullptr};
  torch::nn::Linear classifier{nullptr};
};
TORCH_MODULE(SmallConv);

int main() {
  torch::manual_seed(38);
  const std::vector<int> gpus = {1, 0};
  const int64_t classes = 3;

  SmallConv model(classes);
  if (torch::cuda::is_available()) {
    model->to(torch::kCUDA);
  }
  placecheck::parallel::DataParallel net(model, gpus);
  torch::optim::SGD optimizer(net.parameters(), torch::optim::SGDOptions(0.1).momentum(0.9).nesterov(true));

  for (int epoch = 0; epoch < 3; ++epoch) {
    double total = 0;
    for (int b = 0; b < 2; ++b) {
      auto labels = torch::randint(classes, {10}, torch::kLong);
      auto images = torch::randn({10, 3, 5, 5});
      for (int64_t i = 0; i < 10; ++i) images[i][labels[i].item<int64_t>()] += 1;

      optimizer.zero_grad();
      auto output = net.forward(images); // expect: data-parallel-placement
      auto loss = torch::nn::functional::cross_entropy(output, labels.to(output.device()));
      loss.backward();
      optimizer.step();
      total += loss.item<double>();
    }
    std::cout << "epoch " << epoch << " loss " << total / 2 << "\n";
  }
}
