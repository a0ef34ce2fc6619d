// A wrapper that asks for its module on the first device, as PyTorch's DataParallel does.
#include <torch/torch.h>

#include <stdexcept>
#include <utility>
#include <vector>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(8, 4)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

class Wrapper {
 public:
  Wrapper(Net net, std::vector<int> ids) : net_(std::move(net)), ids_(std::move(ids)) {}

  torch::Tensor forward(torch::Tensor x) {
    torch::Device first(torch::kCUDA, ids_[0]);
    for (const auto& p : net_->parameters()) {
      if (p.device() != first)  // expect: failed-placement-check
        throw std::runtime_error("module must have its parameters on " + first.str());
    }
    return net_->forward(x);
  }

 private:
  Net net_;
  std::vector<int> ids_;
};

int main() {
  Net net;
  Wrapper wrapper(net, {0, 1});
  auto y = wrapper.forward(torch::rand({16, 8}).to(torch::kCUDA));
}
