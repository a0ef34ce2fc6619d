// A whole training: a convolutional network on MNIST, with evaluation and a checkpoint.
#include <torch/torch.h>

#include <iostream>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    conv1 = register_module("conv1", torch::nn::Conv2d(1, 10, 5));
    conv2 = register_module("conv2", torch::nn::Conv2d(10, 20, 5));
    dropout = register_module("dropout", torch::nn::Dropout(0.5));
    fc1 = register_module("fc1", torch::nn::Linear(320, 50));
    fc2 = register_module("fc2", torch::nn::Linear(50, 10));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(torch::max_pool2d(conv1(x), 2));
    x = torch::relu(torch::max_pool2d(dropout(conv2(x)), 2));
    x = torch::relu(fc1(x.view({-1, 320})));
    return torch::log_softmax(fc2(x), 1);
  }
  torch::nn::Conv2d conv1{nullptr}, conv2{nullptr};
  torch::nn::Dropout dropout{nullptr};
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Net);

template <typename Loader>
void train(Net& model, torch::Device device, Loader& loader, torch::optim::Optimizer& optimizer) {
  model->train();
  for (auto& batch : loader) {
    auto data = batch.data.to(device);
    auto targets = batch.target.to(device);
    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(data), targets);
    loss.backward();
    optimizer.step();
  }
}

template <typename Loader>
double evaluate(Net& model, torch::Device device, Loader& loader) {
  torch::NoGradGuard no_grad;
  model->eval();
  int64_t correct = 0;
  int64_t seen = 0;
  for (auto& batch : loader) {
    auto prediction = model->forward(batch.data.to(device)).argmax(1);
    correct += prediction.eq(batch.target.to(device)).sum().template item<int64_t>();
    seen += batch.target.size(0);
  }
  return static_cast<double>(correct) / static_cast<double>(seen);
}

int main() {
  torch::manual_seed(1);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net model;
  model->to(device);
  auto data = torch::data::datasets::MNIST("./data")
                  .map(torch::data::transforms::Normalize<>(0.1307, 0.3081))
                  .map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(data), 64);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.01).momentum(0.5));
  for (int epoch = 0; epoch < 3; ++epoch) {
    train(model, device, *loader, optimizer);
    std::cout << "epoch " << epoch << ": " << evaluate(model, device, *loader) << "\n";
  }
  torch::save(model, "net.pt");
}
