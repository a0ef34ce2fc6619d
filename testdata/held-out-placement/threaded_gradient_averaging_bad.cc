#include <torch/torch.h>

#include <exception>
#include <iostream>
#include <memory>
#include <thread>
#include <vector>

// Synchronous data-parallel training written by hand: each worker computes the gradients of its
// half of the batch, the main thread averages them.

struct ModelImpl : torch::nn::Cloneable<ModelImpl> {
  ModelImpl() { reset(); }
  void reset() override {
    fc1 = register_module("fc1", torch::nn::Linear(6, 12));
    fc2 = register_module("fc2", torch::nn::Linear(12, 1));
  }
  torch::Tensor forward(const torch::Tensor& x) { return fc2(torch::relu(fc1(x))); }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Model);

using Gradients = std::vector<torch::Tensor>;

Gradients compute_gradients(ModelImpl& model, const torch::Tensor& x, const torch::Tensor& y) {
  model.zero_grad(true);
  auto loss = torch::mse_loss(model.forward(x), y);
  loss.backward();
  Gradients gradients;
  for (const auto& p : model.parameters()) gradients.push_back(p.grad().detach());
  return gradients;
}

Gradients average(const std::vector<Gradients>& all) {
  Gradients result;
  for (size_t p = 0; p < all.front().size(); ++p) {
    auto sum = all.front()[p].clone();
    for (size_t w = 1; w < all.size(); ++w) {
      sum += all[w][p]; // expect: device-mismatch
    }
    result.push_back(sum / static_cast<double>(all.size()));
  }
  return result;
}

int main() {
  torch::manual_seed(22);
  const std::vector<torch::Device> devices = {torch::Device("cuda:0"), torch::Device("cuda:1")};
  Model model;
  model->to(devices[0]);
  const double lr = 0.05;

  for (int step = 0; step < 3; ++step) {
    auto x = torch::randn({16, 6});
    auto y = x.sum(1, true);
    auto xs = x.chunk(devices.size()), ys = y.chunk(devices.size());

    std::vector<Gradients> gradients(devices.size());
    std::vector<std::thread> workers;
    for (size_t w = 0; w < devices.size(); ++w) {
      auto replica = std::dynamic_pointer_cast<ModelImpl>(model->clone(devices[w]));
      workers.emplace_back([&, w, replica] {
        gradients[w] = compute_gradients(*replica, xs[w].to(devices[w]), ys[w].to(devices[w]));
      });
    }
    for (auto& worker : workers) worker.join();

    auto mean = average(gradients);
    torch::NoGradGuard no_grad;
    auto parameters = model->parameters();
    for (size_t p = 0; p < parameters.size(); ++p) parameters[p].sub_(mean[p], lr);
    std::cout << "step " << step << " |g| " << mean[0].norm().item<float>() << "\n";
  }
}
