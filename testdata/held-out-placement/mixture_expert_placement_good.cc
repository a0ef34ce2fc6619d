#include <torch/torch.h>

#include <iostream>
#include <map>
#include <string>
#include <vector>

// Places the experts of a mixture over all GPUs, in turn, and the gate on the last one.
class Mixture : public torch::nn::Module {
 public:
  Mixture(int experts, int64_t width) {
    const int gpus = static_cast<int>(torch::cuda::device_count());
    TORCH_CHECK(gpus > 0, "this model needs a GPU");
    for (int i = 0; i < experts; ++i) {
      torch::Device home(torch::kCUDA, static_cast<torch::DeviceIndex>(i % gpus));
      auto expert = torch::nn::Linear(width, width);
      expert->to(home);
      experts_.push_back(register_module("expert" + std::to_string(i), expert));
      homes_.push_back(home);
    }
    last_ = torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(gpus - 1));
    gate_ = register_module("gate", torch::nn::Linear(width, experts));
    gate_->to(last_);
  }

  torch::Tensor forward(const torch::Tensor& input) {
    auto x = input.to(last_);
    auto shares = torch::softmax(gate_(x), 1);
    auto sum = torch::zeros_like(x);
    for (size_t i = 0; i < experts_.size(); ++i) {
      auto y = torch::relu(experts_[i]->forward(x.to(homes_[i])));
      sum = sum + y.to(last_) * shares.select(1, static_cast<int64_t>(i)).unsqueeze(1);
    }
    return sum;
  }

  torch::Device output_device() const { return last_; }

 private:
  std::vector<torch::nn::Linear> experts_;
  std::vector<torch::Device> homes_;
  torch::nn::Linear gate_{nullptr};
  torch::Device last_{torch::kCPU};
};

int main() {
  torch::manual_seed(21);
  Mixture model(5, 8);
  torch::optim::Adam optimizer(model.parameters(), 1e-2);

  std::map<std::string, int> placement;
  for (const auto& p : model.parameters()) placement[p.device().str()]++;
  for (const auto& [device, count] : placement) std::cout << device << ": " << count << "\n";

  for (int step = 0; step < 8; ++step) {
    auto x = torch::randn({24, 8});
    auto target = x.roll(1, 1).to(model.output_device());
    auto loss = torch::mse_loss(model.forward(x), target);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }
  return 0;
}
