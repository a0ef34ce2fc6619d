#include <torch/torch.h>

#include <iostream>

// Fits a small physics model with L-BFGS. The two parts of the network are on two GPUs.

struct Parts {
  torch::nn::Sequential trunk{nullptr};
  torch::nn::Sequential branch{nullptr};
  torch::Device trunk_device = torch::Device("cuda:0");
  torch::Device branch_device = torch::Device("cuda:1");

  Parts() {
    trunk = torch::nn::Sequential(torch::nn::Linear(1, 10), torch::nn::Tanh(), torch::nn::Linear(10, 6));
    branch = torch::nn::Sequential(torch::nn::Linear(3, 10), torch::nn::Tanh(), torch::nn::Linear(10, 6));
    trunk->to(trunk_device);
    branch->to(branch_device);
  }

  torch::Tensor operator()(const torch::Tensor& t, const torch::Tensor& forces) {
    auto basis = trunk->forward(t.to(trunk_device));
    auto coefficients = branch->forward(forces.to(branch_device));
    return basis.mm(coefficients.to(trunk_device).t());
  }

  std::vector<torch::Tensor> parameters() const {
    auto all = trunk->parameters();
    auto more = branch->parameters();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

torch::Tensor response(const torch::Tensor& t, const torch::Tensor& forces) {
  auto sum = forces.sum(1);
  return torch::sin(3 * t) * sum.unsqueeze(0);
}

int main() {
  torch::manual_seed(16);
  Parts net;

  auto t = torch::linspace(0, 1, 12).unsqueeze(1);
  auto forces = torch::randn({5, 3});
  auto observed = response(t, forces).to(net.trunk_device);

  torch::optim::LBFGS optimizer(
      net.parameters(),
      torch::optim::LBFGSOptions(0.5).max_iter(6).history_size(5).line_search_fn("strong_wolfe"));

  auto closure = [&]() {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(net(t, forces), observed);
    loss.backward();
    return loss;
  };

  for (int round = 0; round < 4; ++round) {
    auto loss = optimizer.step(closure); // expect-miss: device-mismatch
    std::cout << "round " << round << " loss " << loss.item<float>() << "\n";
  }

  torch::NoGradGuard no_grad;
  auto fresh = torch::randn({2, 3});
  auto error = (net(t, fresh).cpu() - response(t, fresh)).abs().mean();
  std::cout << "error on new forces " << error.item<float>() << "\n";
}
