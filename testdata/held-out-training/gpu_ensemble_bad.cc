#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

// An ensemble: a member on each GPU, predictions averaged on the host.

struct MemberImpl : torch::nn::Module {
  MemberImpl() {
    l1 = register_module("l1", torch::nn::Linear(3, 8));
    l2 = register_module("l2", torch::nn::Linear(8, 1));
  }
  torch::Tensor forward(torch::Tensor x) { return l2(torch::sigmoid(l1(x))); }
  torch::nn::Linear l1{nullptr}, l2{nullptr};
};
TORCH_MODULE(Member);

class Ensemble {
 public:
  explicit Ensemble(const std::vector<torch::Device>& devices) {
    for (const auto& device : devices) {
      Member member;
      member->to(device);
      members_.push_back(member);
      devices_.push_back(device);
    }
  }

  void fit(const torch::Tensor& x, const torch::Tensor& y, int steps) {
    for (size_t m = 0; m < members_.size(); ++m) {
      torch::optim::SGD optimizer(members_[m]->parameters(), 0.1);
      // Each member sees a resampling of the data.
      auto rows = torch::randint(x.size(0), {x.size(0)}, torch::kLong);
      auto xs = x.index_select(0, rows).to(devices_[m]);
      auto ys = y.index_select(0, rows).to(devices_[m]);
      for (int i = 0; i < steps; ++i) {
        optimizer.zero_grad();
        torch::mse_loss(members_[m](xs), ys).backward();
        optimizer.step();
      }
    }
  }

  torch::Tensor predict(const torch::Tensor& x) {
    torch::NoGradGuard guard;
    auto sum = torch::zeros({x.size(0), 1});
    for (size_t m = 0; m < members_.size(); ++m) sum += members_[m](x.to(devices_[m])).cpu();
    return sum / static_cast<double>(members_.size());
  }

 private:
  std::vector<Member> members_;
  std::vector<torch::Device> devices_;
};

std::vector<torch::Device> all_gpus() {
  std::vector<torch::Device> devices;
  const int count = static_cast<int>(torch::cuda::device_count());
  for (int i = 1; i <= count; ++i) {
    devices.emplace_back(torch::kCUDA, i); // expect: invalid-device
  }
  return devices;
}

int main() {
  torch::manual_seed(25);
  auto x = torch::rand({30, 3});
  auto y = x.prod(1, true);

  Ensemble ensemble(all_gpus());
  ensemble.fit(x, y, 10);
  auto error = torch::mse_loss(ensemble.predict(x), y);
  std::cout << "error " << error.item<float>() << "\n";
}
