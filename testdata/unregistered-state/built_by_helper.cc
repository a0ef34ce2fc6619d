// Two tables made alike in a method that the constructor calls; one of them is registered.
#include <torch/torch.h>

class RotaryImpl : public torch::nn::Module {
 public:
  explicit RotaryImpl(int64_t width) {
    project_ = register_module("project", torch::nn::Linear(width, width));
    build_tables(width);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto v = project_(x);
    return v * cos_.narrow(0, 0, 3) + v * sin_.narrow(0, 0, 3);
  }

 private:
  void build_tables(int64_t width) {
    auto angle = torch::outer(torch::arange(16, torch::kFloat), torch::rand({width}));
    cos_ = angle.cos();
    sin_ = register_buffer("sin", angle.sin());
  }

  torch::nn::Linear project_{nullptr};
  torch::Tensor sin_;
  torch::Tensor cos_;  // expect: unregistered-state
};
TORCH_MODULE(Rotary);

int main() {
  Rotary rotary(8);
  rotary->to(torch::kCUDA);
  auto y = rotary->forward(torch::rand({3, 8}, torch::kCUDA));
}
