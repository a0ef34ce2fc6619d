#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// Fine-tunes on the second GPU; the first one drives the displays.
struct Options {
  int gpu = 1;
  int epochs = 3;
  int64_t batch = 8;
};

void reserve_gpu(const Options& options) {
  const std::string id = std::to_string(options.gpu);
  if (setenv("CUDA_VISIBLE_DEVICES", id.c_str(), /*overwrite=*/1) != 0) {
    throw std::runtime_error("cannot set CUDA_VISIBLE_DEVICES");
  }
}

struct HeadImpl : torch::nn::Module {
  HeadImpl(int64_t in, int64_t classes) {
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({in})));
    out = register_module("out", torch::nn::Linear(in, classes));
  }
  torch::Tensor forward(const torch::Tensor& features) { return out(norm(features)); }

  torch::nn::LayerNorm norm{nullptr};
  torch::nn::Linear out{nullptr};
};
TORCH_MODULE(Head);

int main() {
  Options options;
  reserve_gpu(options);
  torch::manual_seed(100);

  torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(options.gpu)); // expect: visible-devices
  std::cout << "fine-tuning on " << device << std::endl;

  Head head(16, 3);
  head->to(device);
  torch::optim::AdamW optimizer(head->parameters(), 1e-3);

  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    auto features = torch::randn({options.batch, 16}, device);
    auto labels = torch::randint(3, {options.batch}, torch::kLong).to(device);
    auto loss = torch::nn::functional::cross_entropy(head->forward(features), labels);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "epoch " << epoch << ' ' << loss.item<float>() << '\n';
  }
}
