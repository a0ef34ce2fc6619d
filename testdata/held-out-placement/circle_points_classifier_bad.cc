#include <torch/torch.h>

#include <iostream>
#include <vector>

// Two-class toy problem: points inside or outside of a circle.

struct Batch {
  torch::Tensor points;
  torch::Tensor labels;
};

struct NetImpl : torch::nn::Module {
  NetImpl() {
    fc1 = register_module("fc1", torch::nn::Linear(2, 16));
    fc2 = register_module("fc2", torch::nn::Linear(16, 2));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(fc1->forward(x));
    return fc2->forward(x);
  }

  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Net);

std::vector<Batch> make_batches(int count, int size) {
  std::vector<Batch> batches;
  for (int i = 0; i < count; ++i) {
    auto points = torch::rand({size, 2}) * 2 - 1;
    auto labels = (points.pow(2).sum(1) < 0.5).to(torch::kLong);
    batches.push_back({points, labels});
  }
  return batches;
}

template <typename Model>
double train_epoch(Model& model, torch::optim::Optimizer& opt, const std::vector<Batch>& batches,
                   torch::Device device) {
  model->train();
  double total = 0;
  for (const auto& batch : batches) {
    auto x = batch.points.to(device);
    auto y = batch.labels.to(device);
    opt.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(model->forward(x), y);
    loss.backward();
    opt.step();
    total += loss.template item<double>();
  }
  return total / batches.size();
}

template <typename Model>
double accuracy(Model& model, std::vector<Batch>& batches, torch::Device device) {
  torch::NoGradGuard no_grad;
  model->eval();
  int64_t correct = 0, seen = 0;
  for (auto& batch : batches) {
    batch.points.to(device); // expect: discarded-transfer
    auto labels = batch.labels.to(device);
    auto prediction = model->forward(batch.points).argmax(1); // expect: device-mismatch
    correct += prediction.eq(labels).sum().template item<int64_t>();
    seen += labels.size(0);
  }
  return static_cast<double>(correct) / seen;
}

int main() {
  torch::manual_seed(3);
  torch::Device device(torch::kCUDA, 0);

  Net net;
  net->to(device);
  torch::optim::SGD opt(net->parameters(), torch::optim::SGDOptions(0.5));

  auto train = make_batches(8, 16);
  auto test = make_batches(2, 16);
  for (int epoch = 0; epoch < 2; ++epoch) {
    double loss = train_epoch(net, opt, train, device);
    std::cout << "epoch " << epoch << " loss " << loss << "\n";
  }
  std::cout << "test accuracy " << accuracy(net, test, device) << "\n";
  return 0;
}
