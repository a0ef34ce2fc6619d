// The mask is made by a function that the forward calls.
#include <torch/torch.h>

torch::Tensor causal_mask(int64_t size) {
  return torch::triu(torch::ones({size, size}), 1);
}

torch::Tensor masked(torch::Tensor scores) {
  auto mask = causal_mask(scores.size(-1));
  return scores * mask;  // expect: hardcoded-device
}

struct AttentionImpl : torch::nn::Module {
  AttentionImpl() { proj = register_module("proj", torch::nn::Linear(8, 8)); }
  torch::Tensor forward(torch::Tensor x) {
    auto scores = proj->forward(x).matmul(x.transpose(1, 2));
    return masked(scores).matmul(x);
  }
  torch::nn::Linear proj{nullptr};
};
TORCH_MODULE(Attention);

int main() {
  torch::Device device(torch::kCUDA);
  Attention attention;
  attention->to(device);
  auto y = attention->forward(torch::rand({2, 6, 8}, device));
}
