#include <torch/torch.h>

#include <iostream>
#include <sstream>

#include "runtime/torch/data_parallel.h"

// Train on all GPUs, keep a checkpoint in memory, and answer requests with a plain network.

struct ClassifierImpl : torch::nn::Cloneable<ClassifierImpl> {
  ClassifierImpl(int64_t features, int64_t classes) : features(features), classes(classes) {
    reset();
  }
  void reset() override {
    input = register_module("input", torch::nn::Linear(features, 20));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({20})));
    output = register_module("output", torch::nn::Linear(20, classes));
  }
  torch::Tensor forward(torch::Tensor x) { return output(torch::relu(norm(input(x)))); }

  int64_t features, classes;
  torch::nn::Linear input{nullptr}, output{nullptr};
  torch::nn::LayerNorm norm{nullptr};
};
TORCH_MODULE(Classifier);

using DataParallel = placecheck::parallel::DataParallel;

double train(DataParallel& net, int steps) {
  torch::optim::AdamW optimizer(net.parameters(), 5e-3);
  double last = 0;
  for (int i = 0; i < steps; ++i) {
    auto x = torch::randn({16, 8}, torch::Device("cuda:0"));
    auto y = x.narrow(1, 0, 3).argmax(1);
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net.forward(x), y);
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
  }
  return last;
}

std::string checkpoint_of(const std::shared_ptr<DataParallel>& net) {
  std::ostringstream stream;
  torch::save(net, stream);
  return stream.str();
}

class Server {
 public:
  explicit Server(const std::string& checkpoint) : net_(8, 3), device_("cuda:1") {
    std::istringstream stream(checkpoint);
    torch::load(net_, stream); // expect: state-dict-prefix
    net_->to(device_);
    net_->eval();
  }

  int64_t answer(const std::vector<float>& values) {
    torch::NoGradGuard no_grad;
    auto x = torch::tensor(values).unsqueeze(0).to(device_);
    return net_(x).argmax(1).item<int64_t>();
  }

 private:
  Classifier net_;
  torch::Device device_;
};

int main() {
  torch::manual_seed(6);
  Classifier model(8, 3);
  model->to(torch::kCUDA);
  auto net = std::make_shared<DataParallel>(model, placecheck::parallel::DeviceIds{0, 1});
  std::cout << "trained to " << train(*net, 10) << "\n";

  Server server(checkpoint_of(net));
  std::cout << server.answer({3, 0, 0, 0, 0, 0, 0, 0}) << server.answer({0, 3, 0, 0, 0, 0, 0, 0})
            << server.answer({0, 0, 3, 0, 0, 0, 0, 0}) << "\n";
}
