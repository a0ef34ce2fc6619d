// What is kept for each device is looked up by its text, its number, or itself.
#include <torch/torch.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

class Masks {
 public:
  const torch::Tensor& by_text(const torch::Device& device) {
    auto& mask = texts_[device.str()];
    if (!mask.defined()) mask = torch::ones({4}, device);
    return mask;
  }
  const torch::Tensor& by_number(const torch::Device& device) {
    auto found = numbers_.find(device.index());
    if (found == numbers_.end())
      found = numbers_.emplace(device.index(), torch::ones({4}, device)).first;
    return found->second;
  }

 private:
  std::unordered_map<std::string, torch::Tensor> texts_;
  std::map<int, torch::Tensor> numbers_;
};

int main() {
  Masks masks;
  std::vector<torch::Device> devices = {torch::Device("cpu")};
  for (size_t i = 0; i < torch::cuda::device_count(); ++i) devices.emplace_back(torch::kCUDA, i);
  for (int turn = 0; turn < 2; ++turn) {
    for (const auto& device : devices) {
      auto x = torch::rand({4}, device);
      auto masked = x * masks.by_text(device) + masks.by_number(device);
    }
  }
  auto last = torch::Device(torch::kCUDA, static_cast<int>(torch::cuda::device_count()) - 1);
  auto masked = torch::rand({4}, last) * masks.by_text(last);
}
