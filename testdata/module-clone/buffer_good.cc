// reset() registers both.
#include <torch/torch.h>

struct ScaleImpl : torch::nn::Cloneable<ScaleImpl> {
  ScaleImpl() { reset(); }
  void reset() override {
    factor = register_parameter("factor", torch::ones({4}));
    offset = register_buffer("offset", torch::zeros({4}));
  }
  torch::Tensor forward(torch::Tensor x) { return x * factor + offset; }

  torch::Tensor factor, offset;
};
TORCH_MODULE(Scale);

int main() {
  Scale net;
  net->to(torch::kCUDA);
  auto teacher = net->clone();
}
