#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// The device comes from, in this order: the options, the environment, what the machine has.

struct InferenceOptions {
  std::string device;  // empty: not given
  int64_t warmup = 2;
  int64_t top = 3;
};

torch::Device choose_device(const InferenceOptions& options) {
  std::string name = options.device;
  if (name.empty()) {
    const char* variable = std::getenv("DEMO_INFERENCE_DEVICE");
    if (variable != nullptr) name = variable;
  }
  if (name.empty()) name = torch::cuda::is_available() ? "cuda" : "cpu";
  if (name == "gpu") name = "cuda";

  torch::Device device(name);
  if (device.is_cuda() && !torch::cuda::is_available()) {
    std::cerr << "no CUDA, falling back to the CPU\n";
    return torch::Device(torch::kCPU);
  }
  return device;
}

class Predictor {
 public:
  explicit Predictor(const InferenceOptions& options)
      : options_(options),
        device_(choose_device(options)),
        net_(torch::nn::Linear(8, 16), torch::nn::SiLU(), torch::nn::Linear(16, 10)) {
    net_->to(device_);
    net_->eval();
    torch::NoGradGuard no_grad;
    for (int64_t i = 0; i < options_.warmup; ++i) net_->forward(torch::zeros({1, 8}).to(device_));
  }

  void print(const torch::Tensor& row) {
    torch::NoGradGuard no_grad;
    auto p = torch::softmax(net_->forward(row.unsqueeze(0).to(device_)), 1);
    auto [values, indices] = p.topk(options_.top, 1);
    values = values.cpu();
    indices = indices.cpu();
    for (int64_t i = 0; i < options_.top; ++i) {
      std::cout << "class " << indices[0][i].item<int64_t>() << ": " << values[0][i].item<float>() << "\n";
    }
  }

 private:
  InferenceOptions options_;
  torch::Device device_;
  torch::nn::Sequential net_;
};

int main() {
  torch::manual_seed(28);
  auto row = torch::randn({8});
  for (const std::string name : {"", "gpu", "cuda:1", "cpu"}) {
    InferenceOptions options;
    options.device = name;
    std::cout << "[" << name << "]\n";
    Predictor(options).print(row);
  }
}
