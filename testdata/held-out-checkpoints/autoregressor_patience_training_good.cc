#include <torch/torch.h>

#include <iostream>
#include <optional>
#include <sstream>

using torch::indexing::Slice;

struct TrainOptions {
  int epochs = 12;
  int patience = 2;
  double lr = 0.02;
  torch::Device device = torch::Device("cuda:1");
};

struct Autoregressor : torch::nn::Cloneable<Autoregressor> {
  Autoregressor() { reset(); }
  void reset() override {
    first = register_module("first", torch::nn::Linear(4, 8));
    second = register_module("second", torch::nn::Linear(8, 1));
    offset = register_buffer("offset", torch::zeros({1}));
  }
  torch::Tensor forward(const torch::Tensor& x) { return second(torch::tanh(first(x))) + offset; }
  torch::nn::Linear first{nullptr}, second{nullptr};
  torch::Tensor offset;
};

// The best model so far, as a clone on the CPU.
struct Best {
  double loss;
  std::shared_ptr<Autoregressor> model;
};

void restore(Autoregressor& target, const Autoregressor& source) {
  torch::NoGradGuard guard;
  auto from = source.named_parameters();
  for (auto& p : target.named_parameters()) p.value().copy_(from[p.key()]);
  auto buffers = source.named_buffers();
  for (auto& b : target.named_buffers()) b.value().copy_(buffers[b.key()]);
}

double validate(Autoregressor& model, const torch::Tensor& series, torch::Device device) {
  torch::NoGradGuard guard;
  auto x = series.index({Slice(), Slice(0, 4)}).to(device);
  auto y = series.index({Slice(), Slice(4, 5)}).to(device);
  return torch::mse_loss(model.forward(x), y).item<double>();
}

int main() {
  torch::manual_seed(13);
  TrainOptions options;
  auto series = torch::randn({24, 5}).cumsum(1);
  auto held_out = torch::randn({12, 5}).cumsum(1);

  Autoregressor model;
  model.to(options.device);
  torch::optim::Adam adam(model.parameters(), options.lr);
  std::optional<Best> best;
  int waited = 0;
  for (int epoch = 0; epoch < options.epochs && waited < options.patience; ++epoch) {
    auto x = series.index({Slice(), Slice(0, 4)}).to(options.device);
    auto y = series.index({Slice(), Slice(4, 5)}).to(options.device);
    adam.zero_grad();
    auto loss = torch::mse_loss(model.forward(x), y);
    loss.backward();
    adam.step();
    const double held_out_loss = validate(model, held_out, options.device);
    if (!best || held_out_loss < best->loss) {
      best = Best{held_out_loss, std::dynamic_pointer_cast<Autoregressor>(model.clone(torch::Device(torch::kCPU)))};
      waited = 0;
    } else {
      ++waited;
    }
  }

  restore(model, *best->model);
  std::cout << "best " << best->loss << " again " << validate(model, held_out, options.device) << "\n";
  std::cout << "on the CPU " << validate(*best->model, held_out, torch::kCPU) << "\n";
  return 0;
}
