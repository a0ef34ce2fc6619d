// A wrapper that keeps state of its own beside the module that it wraps.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    first = register_module("first", torch::nn::Linear(4, 4));
    second = register_module("second", torch::nn::Linear(4, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return second(torch::relu(first(x))); }
  torch::nn::Linear first{nullptr}, second{nullptr};
};
TORCH_MODULE(Net);

struct NormalizedImpl : torch::nn::Module {
  explicit NormalizedImpl(Net net) : module(register_module("module", net)) {
    mean = register_buffer("mean", torch::zeros({1}));
  }
  torch::Tensor forward(torch::Tensor x) { return module(x - mean); }
  Net module;
  torch::Tensor mean;
};
TORCH_MODULE(Normalized);

void save(const Normalized& net, const std::string& path) { torch::save(net, path); }

int main() {
  Normalized normalized{Net()};
  save(normalized, "normalized.pt");
  Normalized again{Net()};
  torch::load(again, "normalized.pt");
  Net deployed;
  torch::load(deployed, "normalized.pt");  // expect: state-dict-prefix
  return 0;
}
