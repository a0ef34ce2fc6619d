// Loops over lists of several modules: each of them is moved, or registered.
#include <torch/torch.h>

#include <initializer_list>
#include <utility>

struct Net : torch::nn::Module {
  Net() : a(8, 8), b(8, 8), c(8, 8), d(8, 8), e(8, 1) {
    using Named = std::pair<const char*, torch::nn::Linear>;
    for (auto& [name, layer] :
         std::initializer_list<Named>{{"a", a}, {"b", b}, {"c", c}, {"d", d}, {"e", e}})
      register_module(name, layer);
  }
  torch::Tensor forward(torch::Tensor x) { return e(d(c(b(a(x))))); }
  torch::nn::Linear a, b, c, d, e;
};

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear first(6, 8), second(3, 8), third(2, 8), fourth(8, 8), last(8, 1);
  for (auto layer : {first, second, third, fourth, last}) layer->to(device);
  auto x = torch::rand({2, 8}, device);
  auto y = last(fourth(x));

  Net net;
  net.to(device);
  y = net.forward(x);
  y = net.forward(torch::rand({2, 8}));  // expect: device-mismatch
  return 0;
}
