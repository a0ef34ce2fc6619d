// A wrapper that asks for its module on the first device, and gets it there.
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
  Wrapper(Net net, std::vector<int> ids) : net_(std::move(net)), ids_(std::move(ids)) {
    net_->to(torch::Device(torch::kCUDA, ids_[0]));
  }

  torch::Tensor forward(torch::Tensor x) {
    torch::Device first(torch::kCUDA, ids_[0]);
    for (const auto& p : net_->parameters()) {
      if (p.device() != first)
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
  Wrapper wrapper(net, {1, 0});
  auto y = wrapper.forward(torch::rand({16, 8}).to(torch::Device(torch::kCUDA, 1)));
}
