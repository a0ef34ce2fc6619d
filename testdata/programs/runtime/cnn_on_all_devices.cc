// A small convolutional network that learns where in an image the light is, on all devices that
// there are. Prints the loss of the last steps, how many images it gets right, and the sum of all
// parameters to the last bit.
#include <cstdio>

#include "runtime/runtime.h"

namespace torch = placecheck::runtime;

struct CnnImpl : torch::nn::Module {
  CnnImpl() {
    features = register_module(
        "features",
        torch::nn::Sequential(torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 6, 3).padding(1)),
                              torch::nn::ReLU(), torch::nn::MaxPool2d(2),
                              torch::nn::Conv2d(6, 8, 3), torch::nn::ReLU(), torch::nn::Flatten()));
    classifier = register_module("classifier", torch::nn::Linear(32, 4));
  }
  torch::Tensor forward(const torch::Tensor& x) { return classifier(features(x)); }
  torch::nn::Sequential features{nullptr};
  torch::nn::Linear classifier{nullptr};
};
PLACECHECK_MODULE(Cnn);

struct Images {
  torch::Tensor data;
  torch::Tensor labels;
};

// Noise, and a bright square in one of four corners.
Images make_images(std::int64_t count) {
  Images images{torch::rand({count, 1, 8, 8}).mul(0.5), torch::randint(0, 4, {count})};
  std::vector<std::int64_t> corners = images.labels.to_vector<std::int64_t>();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t corner = corners[static_cast<std::size_t>(i)];
    images.data[i][0].narrow(0, corner / 2 * 4, 3).narrow(1, corner % 2 * 4, 3).fill_(0.8);
  }
  return images;
}

int main() {
  torch::manual_seed(5);
  Cnn model;
  torch::nn::DataParallel net(model);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  double loss = 0;
  for (int step = 0; step < 40; ++step) {
    Images batch = make_images(24);
    torch::Tensor output = net(batch.data);
    torch::Tensor error = torch::cross_entropy(output, batch.labels.to(output.device()));
    optimizer.zero_grad();
    error.backward();
    optimizer.step();
    loss = 0.7 * loss + 0.3 * error.item<float>();
  }
  net->eval();
  torch::NoGradGuard no_grad;
  Images test = make_images(100);
  torch::Tensor right = net(test.data).argmax(1).cpu().eq(test.labels).sum();
  double sum = 0;
  for (const torch::Tensor& parameter : net->parameters()) sum += parameter.sum().item<double>();
  std::printf("loss %.6f\nright %d\nparameters %.17g\n", loss,
              static_cast<int>(right.item<std::int64_t>()), sum);
}
