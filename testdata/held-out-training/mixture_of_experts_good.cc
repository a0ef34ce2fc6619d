#include <torch/torch.h>

#include <iostream>
#include <tuple>

#include "runtime/torch/data_parallel.h"

// Mixture of experts on two GPUs. Besides its output, a forward returns the gates: what a replica
// writes to its members would be gone afterwards.

class MixtureImpl : public torch::nn::Cloneable<MixtureImpl> {
 public:
  MixtureImpl(int64_t in, int64_t experts) : in_(in), count_(experts) { reset(); }

  void reset() override {
    experts_ = register_module("experts", torch::nn::ModuleList());
    for (int64_t e = 0; e < count_; ++e) experts_->push_back(torch::nn::Linear(in_, 1));
    gate_ = register_module("gate", torch::nn::Linear(in_, count_));
    temperature_ = register_buffer("temperature", torch::full({1}, 2.0f));
  }

  std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor x) {
    auto gates = torch::softmax(gate_(x) / temperature_, 1);
    std::vector<torch::Tensor> outputs;
    for (size_t e = 0; e < experts_->size(); ++e) outputs.push_back(experts_[e]->as<torch::nn::Linear>()->forward(x));
    auto mixed = (torch::cat(outputs, 1) * gates).sum(1);
    last_size_ = x.size(0);
    return {mixed, gates};
  }

 private:
  int64_t in_, count_;
  int64_t last_size_ = 0;
  torch::nn::ModuleList experts_{nullptr};
  torch::nn::Linear gate_{nullptr};
  torch::Tensor temperature_;
};
TORCH_MODULE(Mixture);

int main() {
  torch::manual_seed(43);
  const torch::Device device("cuda:0");
  Mixture mixture(4, 3);
  mixture->to(device);
  placecheck::parallel::DataParallel net(mixture, {0, 1});
  torch::optim::Adam optimizer(net.parameters(), 1e-2);

  for (int step = 0; step < 6; ++step) {
    auto x = torch::randn({15, 4});
    auto y = torch::where(x.select(1, 0) > 0, x.sum(1), -x.sum(1));

    auto [output, gates] = net.call<std::tuple<torch::Tensor, torch::Tensor>>(x);
    auto error = torch::mse_loss(output, y.to(output.device()));
    // No expert should be idle.
    auto usage = gates.mean(0);
    auto balance = usage.var(/*unbiased=*/false);
    auto loss = error + 0.1 * balance;

    optimizer.zero_grad();
    loss.backward();
    torch::nn::utils::clip_grad_norm_(net.parameters(), 5.0);
    optimizer.step();
    std::cout << "step " << step << " error " << error.item<float>() << " usage "
              << usage.max().item<float>() << "\n";
  }
}
