// A set says which layers are on the GPU.
#include <torch/torch.h>

#include <cstdlib>
#include <set>
#include <vector>

class StreamedStack {
 public:
  StreamedStack(std::size_t depth, torch::Device device, std::size_t keep)
      : device_(device), keep_(keep) {
    for (std::size_t i = 0; i < depth; ++i) blocks_.push_back(torch::nn::Linear(4, 4));
  }

  torch::Tensor run(const torch::Tensor& input) {
    torch::Tensor x = input.to(device_);
    fetch(0);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (i + 1 < blocks_.size()) fetch(i + 1);
      x = blocks_[i]->forward(x);
      if (i >= keep_) evict(i);
    }
    return x.cpu();
  }

  torch::Tensor run_on_host(const torch::Tensor& input) {
    while (!resident_.empty()) evict(*resident_.begin());
    torch::Tensor x = input.cpu();
    for (auto& block : blocks_) x = block->forward(x);
    return x;
  }

 private:
  void fetch(std::size_t i) {
    if (resident_.insert(i).second) blocks_[i]->to(device_);
  }
  void evict(std::size_t i) {
    if (resident_.erase(i) != 0) blocks_[i]->to(torch::kCPU);
  }

  torch::Device device_;
  std::size_t keep_;
  std::vector<torch::nn::Linear> blocks_;
  std::set<std::size_t> resident_;
};

int main(int argc, char** argv) {
  const long keep = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 2;
  StreamedStack stack(4, torch::Device(torch::kCUDA, 1), static_cast<std::size_t>(keep));
  const torch::Tensor x = torch::ones({2, 4});
  for (int round = 0; round < 3; ++round) {
    const torch::Tensor fast = stack.run(x);
    const torch::Tensor slow = round == 1 ? stack.run_on_host(x) : fast;
    (fast - slow).abs().max().item<float>();
  }
}
