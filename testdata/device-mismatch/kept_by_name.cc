// Averages of the parameters, by their names: they stay where the parameters were.
#include <torch/torch.h>

#include <string>
#include <unordered_map>

class Average {
 public:
  explicit Average(const torch::nn::Module& net) {
    for (const auto& each : net.named_parameters())
      kept_[each.key()] = each.value().detach().clone();
  }
  void update(const torch::nn::Module& net) {
    torch::NoGradGuard no_grad;
    for (const auto& each : net.named_parameters()) {
      auto& kept = kept_.at(each.key());
      kept.mul_(0.9).add_(each.value(), 0.1);  // expect: device-mismatch
    }
  }

 private:
  std::unordered_map<std::string, torch::Tensor> kept_;
};

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(3, 3);
  Average average(*net);
  net->to(device);
  average.update(*net);
  return 0;
}
