// The guard that leaves the list puts its layer back, which is used once more.
#include <torch/torch.h>

#include <list>

class Resident {
 public:
  Resident(torch::nn::Module& module, torch::Device device) : module_(&module) {
    module_->to(device);
  }
  Resident(const Resident&) = delete;
  ~Resident() { module_->to(torch::kCPU); }

 private:
  torch::nn::Module* module_;
};

int main() {
  torch::nn::Linear first(3, 3), second(3, 3);
  std::list<Resident> window;
  window.emplace_back(*first, torch::kCUDA);
  window.emplace_back(*second, torch::kCUDA);
  auto x = torch::rand({2, 3}, torch::kCUDA);
  x = second->forward(first->forward(x));
  window.pop_front();
  x = second->forward(x);
  first->forward(x);  // expect: device-mismatch
}
