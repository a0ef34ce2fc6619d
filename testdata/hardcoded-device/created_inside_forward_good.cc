// Tensors made inside forward follow the input or the parameters.
#include <torch/torch.h>

struct NoisyImpl : torch::nn::Module {
  NoisyImpl() {
    fc = register_module("fc", torch::nn::Linear(4, 4));
    offset = register_buffer("offset", torch::zeros({4}));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto like = torch::ones_like(x);
    auto from_options = torch::rand(x.sizes(), x.options());
    auto from_device = torch::arange(4, torch::TensorOptions().device(x.device()));
    auto from_member = torch::eye(4, fc->weight.options());
    auto later = torch::full({4}, 2.0);
    later = later.to(x.device());
    auto by_tensor = torch::ones({4}).to(x);
    auto by_new = x.new_zeros({4});
    auto by_type = torch::ones({4}).type_as(x);
    auto y = fc->forward(x) + like + from_options + from_device + later + by_tensor + by_new;
    return (y * by_type).matmul(from_member) + offset;
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor offset;
};
TORCH_MODULE(Noisy);

int main() {
  Noisy noisy;
  noisy->to(torch::kCUDA);
  auto y = noisy->forward(torch::rand({3, 4}).to(torch::kCUDA));
  return y.size(0) == 3 ? 0 : 1;
}
