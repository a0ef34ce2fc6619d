#include <torch/torch.h>

#include <iostream>
#include <sstream>
#include <string>

struct Options {
  int64_t features = 6;
  int64_t hidden = 12;
  int first_epochs = 2;
  int resumed_epochs = 2;
  double lr = 1e-3;
};

struct RegressorImpl : torch::nn::Module {
  RegressorImpl(int64_t in, int64_t hidden) {
    body = register_module("body", torch::nn::Sequential(torch::nn::Linear(in, hidden), torch::nn::Tanh(),
                                                         torch::nn::Linear(hidden, 1)));
    scale = register_buffer("scale", torch::ones({1}));
  }
  torch::Tensor forward(const torch::Tensor& x) { return body->forward(x) * scale; }

  torch::nn::Sequential body{nullptr};
  torch::Tensor scale;
};
TORCH_MODULE(Regressor);

void run_epochs(Regressor& model, torch::optim::Optimizer& optimizer, torch::Device device, int from, int count) {
  for (int epoch = from; epoch < from + count; ++epoch) {
    auto x = torch::randn({16, 6}).to(device);
    auto y = x.sum(1, true);
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model(x), y);
    loss.backward();
    optimizer.step();
    std::cout << "epoch " << epoch << " loss " << loss.item<float>() << std::endl;
  }
}

int main() {
  Options opt;
  torch::manual_seed(0);
  std::stringstream model_file, optimizer_file;

  // First session, on the laptop.
  {
    Regressor model(opt.features, opt.hidden);
    torch::optim::Adam adam(model->parameters(), opt.lr);
    run_epochs(model, adam, torch::kCPU, 0, opt.first_epochs);
    torch::save(model, model_file);
    torch::save(adam, optimizer_file);
  }

  // Second session, on the GPU server.
  torch::Device device = torch::cuda::is_available() ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
  Regressor model(opt.features, opt.hidden);
  torch::load(model, model_file, device);
  torch::optim::Adam adam(model->parameters(), opt.lr);
  torch::load(adam, optimizer_file, device);
  run_epochs(model, adam, device, opt.first_epochs, opt.resumed_epochs);

  torch::NoGradGuard no_grad;
  model->eval();
  std::cout << "prediction " << model(torch::ones({1, opt.features}, device)).item<float>() << std::endl;
}
