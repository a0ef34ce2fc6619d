// Guards bring layers to the GPU and put them back at their end: in a list, whose elements end with
// it, or where one leaves it.
#include <torch/torch.h>

#include <list>
#include <utility>
#include <vector>

class Resident {
 public:
  Resident(torch::nn::Module& module, torch::Device device)
      : module_(&module), home_(module.parameters().front().device()) {
    module_->to(device);
  }
  Resident(Resident&& other) noexcept
      : module_(std::exchange(other.module_, nullptr)), home_(other.home_) {}
  Resident(const Resident&) = delete;
  ~Resident() {
    if (module_ != nullptr) module_->to(home_);
  }

 private:
  torch::nn::Module* module_;
  torch::Device home_;
};

torch::Tensor windowed(std::vector<torch::nn::Linear>& layers, torch::Tensor x,
                       torch::Device device) {
  std::list<Resident> window;
  x = x.to(device);
  for (auto& layer : layers) {
    if (window.size() == 2) window.pop_front();
    window.emplace_back(*layer, device);
    x = layer->forward(x);
  }
  return x;
}

int main() {
  std::vector<torch::nn::Linear> layers;
  for (int i = 0; i < 4; ++i) layers.emplace_back(3, 3);
  auto x = torch::rand({2, 3});
  windowed(layers, x, torch::kCUDA);
  for (auto& layer : layers) x = layer->forward(x);
}
