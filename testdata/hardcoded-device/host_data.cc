// Data of the host, and a literal that is handed to a helper: the general rule reports them.
#include <torch/torch.h>

struct LambdaImpl : torch::nn::Module {
  LambdaImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    float values[] = {1, 2, 3, 4};
    auto scale = torch::from_blob(values, {4});
    return fc->forward(x) * scale;  // expect: device-mismatch
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Lambda);

torch::Tensor noise_on(torch::Device device) { return torch::randn({4}, device); }

struct NoisyImpl : torch::nn::Module {
  NoisyImpl() { fc = register_module("fc", torch::nn::Linear(4, 4)); }
  torch::Tensor forward(torch::Tensor x) {
    return fc->forward(x) + noise_on(torch::kCPU);  // expect: device-mismatch
  }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Noisy);

int main() {
  Lambda net;
  net->to(torch::kCUDA);
  auto y = net->forward(torch::rand({2, 4}, torch::kCUDA));
  Noisy noisy;
  noisy->to(torch::kCUDA);
  y = noisy->forward(torch::rand({2, 4}, torch::kCUDA));
}
