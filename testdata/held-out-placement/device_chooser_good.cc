#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

// $TRAIN_DEVICE may be cpu, gpu, auto or the name of a device.
torch::Device choose_device(std::optional<std::string> wish) {
  if (!wish) {
    if (const char* value = std::getenv("TRAIN_DEVICE")) wish = value;
  }
  const std::string name = wish.value_or("auto");
  if (name == "auto") return torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  if (name == "gpu") return torch::Device(torch::kCUDA, 0);
  try {
    torch::Device device(name);
    if (device.is_cuda() && device.has_index() &&
        device.index() >= static_cast<int>(torch::cuda::device_count())) {
      std::cerr << "no device " << device << ", using the CPU\n";
      return torch::kCPU;
    }
    return device;
  } catch (const c10::Error&) {
    std::cerr << "'" << name << "' is no device, using the CPU\n";
    return torch::kCPU;
  }
}

struct SparseAutoEncoder : torch::nn::Module {
  explicit SparseAutoEncoder(int64_t width)
      : encoder(register_module("encoder", torch::nn::Linear(width, width * 2))),
        decoder(register_module("decoder", torch::nn::Linear(width * 2, width))) {}

  std::pair<torch::Tensor, torch::Tensor> forward(const torch::Tensor& x) {
    auto code = torch::relu(encoder(x));
    return {decoder(code), code};
  }

  torch::nn::Linear encoder, decoder;
};

float train(torch::Device device) {
  torch::manual_seed(10);
  SparseAutoEncoder model(8);
  model.to(device);
  torch::optim::SGD optimizer(model.parameters(), 0.1);
  auto penalty = torch::tensor(1e-3, device);
  float last = 0;
  for (int i = 0; i < 6; ++i) {
    auto x = torch::randn({16, 8}).to(device);
    auto [y, code] = model.forward(x);
    auto loss = torch::mse_loss(y, x) + penalty * code.abs().sum();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    last = loss.item<float>();
  }
  return last;
}

int main() {
  for (const auto& wish : {"auto", "gpu", "cuda:1", "cuda:0 ", "GPU0", "cpu"}) {
    const auto device = choose_device(std::string(wish));
    std::cout << "[" << wish << "] -> " << device << ": " << train(device) << std::endl;
  }
  const auto device = choose_device(std::nullopt);
  std::cout << "default -> " << device << ": " << train(device) << std::endl;
}
