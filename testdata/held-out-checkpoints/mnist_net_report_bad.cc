#include <torch/torch.h>

#include <iomanip>
#include <iostream>

// Convolutional net after the MNIST example, with batch norm.
struct Net : torch::nn::Module {
  Net()
      : conv1(torch::nn::Conv2dOptions(1, 6, 3)),
        bn1(6),
        conv2(torch::nn::Conv2dOptions(6, 8, 3)),
        head(8 * 4 * 4, 10) {
    register_module("conv1", conv1);
    register_module("bn1", bn1);
    register_module("conv2", conv2);
    register_module("head", head);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(bn1(conv1(x)));
    x = torch::relu(conv2(x));
    x = x.view({x.size(0), -1});
    return torch::log_softmax(head(x), 1);
  }

  torch::nn::Conv2d conv1;
  torch::nn::BatchNorm2d bn1;
  torch::nn::Conv2d conv2;
  torch::nn::Linear head;
};

void report(const torch::nn::Module& model) {
  const auto parameters = model.named_parameters();
  const auto& first = parameters["conv1.weight"];
  const auto& last = parameters["fc.weight"]; // expect: missing-key
  std::cout << std::setprecision(4) << "  |conv1| = " << first.norm().item<double>()
            << "  |fc| = " << last.norm().item<double>() << std::endl;
}

int main() {
  torch::manual_seed(1);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);

  Net model;
  model.to(device);
  torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.01).momentum(0.5));

  for (size_t epoch = 1; epoch <= 3; ++epoch) {
    model.train();
    for (int batch = 0; batch < 2; ++batch) {
      auto data = torch::randn({4, 1, 8, 8}).to(device);
      auto targets = torch::randint(10, {4}, torch::kLong).to(device);
      optimizer.zero_grad();
      auto loss = torch::nll_loss(model.forward(data), targets);
      loss.backward();
      optimizer.step();
      std::cout << "epoch " << epoch << " batch " << batch << " loss " << loss.item<float>() << "\n";
    }
    report(model);
  }
}
