// A dtype is no device: what takes only its dtype from another tensor is made on the CPU.
#include <torch/torch.h>

#include <unordered_map>
#include <utility>
#include <vector>

class Momentum {
 public:
  explicit Momentum(std::vector<torch::Tensor> parameters) : parameters_(std::move(parameters)) {}

  void step() {
    torch::NoGradGuard no_grad;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      torch::Tensor& p = parameters_[i];
      auto found = state_.find(i);
      if (found == state_.end())
        found = state_.emplace(i, torch::zeros(p.sizes(), p.dtype())).first;
      found->second.mul_(0.9).add_(p.grad());  // expect: device-mismatch
    }
  }

 private:
  std::vector<torch::Tensor> parameters_;
  std::unordered_map<size_t, torch::Tensor> state_;
};

torch::Tensor targets(const torch::Tensor& kept, int64_t count) {
  return torch::full({count, 1}, 0.9, kept.scalar_type());
}

torch::Tensor targets_there(const torch::Tensor& kept, int64_t count) {
  return torch::full({count, 1}, 0.9, kept.options());
}

torch::Tensor converted(const torch::Tensor& x, torch::Dtype dtype) { return x.to(dtype); }

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 1);
  net->to(device);
  torch::Tensor out = torch::sigmoid(net->forward(torch::rand({8, 4}, device)));
  torch::binary_cross_entropy(out, targets_there(out, 8)).backward();
  Momentum(net->parameters()).step();
  auto same = out + converted(torch::rand({8, 1}, device), out.scalar_type());
  auto loss = torch::binary_cross_entropy(out, targets(out, 8));  // expect: device-mismatch
}
