#include <torch/torch.h>

#include <cstdio>

// Auto-encoder on random data; uses a GPU where there is one.

constexpr int64_t kInput = 20;
constexpr int64_t kCode = 4;

struct AutoEncoder : torch::nn::Module {
  AutoEncoder() {
    enc = register_module("enc", torch::nn::Linear(kInput, kCode));
    dec = register_module("dec", torch::nn::Linear(kCode, kInput));
    norm = register_module("norm", torch::nn::BatchNorm1d(kCode));
  }

  torch::Tensor encode(const torch::Tensor& x) {
    return norm(enc(x));
  }

  torch::Tensor decode(const torch::Tensor& code) { return torch::sigmoid(dec(code)); }

  torch::nn::Linear enc{nullptr}, dec{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
};

int main() {
  torch::manual_seed(1);
  AutoEncoder model;

  torch::Device device(torch::kCPU);
  if (torch::cuda::is_available()) {
    std::puts("CUDA is available, training on the GPU.");
    torch::Device device(torch::kCUDA);
    model.to(device);
  } else {
    std::puts("Training on the CPU.");
  }

  torch::optim::Adam optimizer(model.parameters(), torch::optim::AdamOptions(1e-2));
  for (int epoch = 1; epoch <= 5; ++epoch) {
    float running = 0;
    for (int batch = 0; batch < 4; ++batch) {
      auto x = torch::rand({10, kInput}).to(device);
      optimizer.zero_grad();
      auto y = model.decode(model.encode(x)); // expect: device-mismatch
      auto loss = torch::binary_cross_entropy(y, x); // expect: device-mismatch
      loss.backward();
      optimizer.step();
      running += loss.item<float>();
    }
    std::printf("epoch %d: %.4f\n", epoch, running / 4);
  }
  return 0;
}
