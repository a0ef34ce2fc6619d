#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <unordered_map>

class CausalAttentionImpl : public torch::nn::Module {
 public:
  explicit CausalAttentionImpl(int64_t dim) : dim_(dim) {
    qkv_ = register_module("qkv", torch::nn::Linear(dim, 3 * dim));
    proj_ = register_module("proj", torch::nn::Linear(dim, dim));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto parts = qkv_->forward(x).chunk(3, -1);
    auto scores = parts[0].matmul(parts[1].transpose(1, 2)) / std::sqrt(static_cast<double>(dim_));
    scores = scores + mask(x.size(1), x.device()); // expect: device-mismatch
    return proj_->forward(torch::softmax(scores, -1).matmul(parts[2]));
  }

 private:
  // Building the mask is slow for long sequences, so each length is built once.
  const torch::Tensor& mask(int64_t length, torch::Device device) {
    auto found = masks_.find(length);
    if (found == masks_.end()) {
      auto full = torch::full({length, length}, -std::numeric_limits<float>::infinity(), device);
      found = masks_.emplace(length, full.triu(1)).first;
    }
    return found->second;
  }

  int64_t dim_;
  torch::nn::Linear qkv_{nullptr}, proj_{nullptr};
  std::unordered_map<int64_t, torch::Tensor> masks_;
};
TORCH_MODULE(CausalAttention);

static double evaluate(CausalAttention& attention, torch::Device device) {
  torch::NoGradGuard no_grad;
  attention->eval();
  auto x = torch::randn({2, 6, 8}, device);
  return attention->forward(x).pow(2).mean().item<double>();
}

int main() {
  torch::manual_seed(4);
  torch::Device train_device(torch::kCUDA, 0), eval_device(torch::kCUDA, 1);

  CausalAttention attention(8);
  attention->to(train_device);
  torch::optim::Adam optimizer(attention->parameters(), torch::optim::AdamOptions(1e-3));

  for (int epoch = 0; epoch < 3; ++epoch) {
    auto x = torch::randn({4, 6, 8}, train_device);
    auto loss = torch::mse_loss(attention->forward(x), x);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "epoch " << epoch << " " << loss.item<double>() << "\n";
  }

  attention->to(eval_device);
  std::cout << "energy " << evaluate(attention, eval_device) << "\n";
  return 0;
}
