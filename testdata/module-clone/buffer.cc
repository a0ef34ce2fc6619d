// reset() registers the parameter, and the constructor the buffer: the copy lacks that.
#include <torch/torch.h>

struct ScaleImpl : torch::nn::Cloneable<ScaleImpl> {
  ScaleImpl() {
    reset();
    offset = register_buffer("offset", torch::zeros({4}));
  }
  void reset() override { factor = register_parameter("factor", torch::ones({4})); }
  torch::Tensor forward(torch::Tensor x) { return x * factor + offset; }

  torch::Tensor factor, offset;
};
TORCH_MODULE(Scale);

int main() {
  Scale net;
  net->to(torch::kCUDA);
  auto teacher = net->clone();  // expect: module-clone
}
