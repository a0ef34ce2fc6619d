#include <torch/torch.h>

#include <iostream>
#include <tuple>
#include <vector>

// Running statistics as buffers, and a recurrent core whose state goes with the input.

struct RunningNormImpl : torch::nn::Module {
  explicit RunningNormImpl(int64_t width, double rate = 0.1) : momentum(rate) {
    mean = register_buffer("mean", torch::zeros({width}));
    square = register_buffer("square", torch::ones({width}));
    updates = register_buffer("updates", torch::zeros({}, torch::kLong));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    if (is_training()) {
      torch::NoGradGuard no_grad;
      mean.mul_(1 - momentum).add_(x.mean(0), momentum);
      square.mul_(1 - momentum).add_(x.pow(2).mean(0), momentum);
      updates += 1;
    }
    return (x - mean) * torch::rsqrt((square - mean.pow(2)).clamp_min(1e-4));
  }

  double momentum;
  torch::Tensor mean, square, updates;
};
TORCH_MODULE(RunningNorm);

struct CoreImpl : torch::nn::Module {
  CoreImpl(int64_t input, int64_t hidden) : size(hidden) {
    norm = register_module("norm", RunningNorm(input));
    gate = register_module("gate", torch::nn::Linear(input + hidden, hidden));
    candidate = register_module("candidate", torch::nn::Linear(input + hidden, hidden));
  }

  torch::Tensor initial(const torch::Tensor& x) const { return torch::zeros({x.size(0), size}, x.options()); }

  torch::Tensor forward(const torch::Tensor& x, torch::Tensor h) {
    if (!h.defined()) h = initial(x);
    auto joined = torch::cat({norm(x), h}, 1);
    auto z = torch::sigmoid(gate(joined));
    return (1 - z) * h + z * torch::tanh(candidate(joined));
  }

  int64_t size;
  RunningNorm norm{nullptr};
  torch::nn::Linear gate{nullptr}, candidate{nullptr};
};
TORCH_MODULE(Core);

int main() {
  torch::manual_seed(52);
  const torch::Device device(torch::kCUDA, 0), other(torch::kCUDA, 1);
  Core core(3, 6);
  core->to(device);
  torch::optim::SGD optimizer(core->parameters(), 0.05);

  for (int episode = 0; episode < 4; ++episode) {
    torch::Tensor h;
    auto loss = torch::zeros({}, device);
    for (int t = 0; t < 5; ++t) {
      auto x = torch::randn({8, 3}).mul(2).add(1).to(device);
      h = core->forward(x, h);
      loss = loss + (h.sum(1) - x.sum(1)).pow(2).mean();
    }
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "episode " << episode << " loss " << loss.item<float>() << "\n";
  }

  // Go on elsewhere with what was learnt.
  core->to(other);
  core->eval();
  torch::NoGradGuard no_grad;
  torch::Tensor h;
  for (int t = 0; t < 3; ++t) h = core->forward(torch::randn({2, 3}, other), h);
  std::cout << "updates " << core->norm->updates.item<int64_t>() << ", state on " << h.device() << std::endl;
  return core->norm->mean.device() == other ? 0 : 1;
}
