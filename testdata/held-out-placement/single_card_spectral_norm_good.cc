#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

// Runs on one card only. Which one is the user's choice; inside of the process it is number 0.

class VisibleDevices {
 public:
  static void restrict_to(int physical) {
    setenv("CUDA_VISIBLE_DEVICES", std::to_string(physical).c_str(), 1);
  }
  static std::string current() {
    const char* value = std::getenv("CUDA_VISIBLE_DEVICES");
    return value ? value : "(all)";
  }
};

struct Args {
  std::optional<int> gpu;
  int iterations = 4;
};

torch::Device select_device(const Args& args) {
  if (!args.gpu) return torch::Device(torch::kCPU);
  VisibleDevices::restrict_to(*args.gpu);
  TORCH_CHECK(torch::cuda::is_available(), "GPU ", *args.gpu, " cannot be used");
  return torch::Device(torch::kCUDA, 0);
}

// Power iteration for the largest singular value of a layer's weight.
double spectral_norm(const torch::nn::Linear& layer, int iterations) {
  torch::NoGradGuard no_grad;
  auto w = layer->weight;
  auto v = torch::ones({w.size(1)}, w.options().requires_grad(false));
  double sigma = 0;
  for (int i = 0; i < iterations; ++i) {
    auto u = w.mv(v);
    sigma = u.norm().item<double>();
    v = w.t().mv(u / sigma);
    v = v / v.norm();
  }
  return sigma;
}

int main() {
  Args args;
  args.gpu = 1;
  const torch::Device device = select_device(args);
  torch::manual_seed(25);
  std::cout << "visible: " << VisibleDevices::current() << ", " << torch::cuda::device_count()
            << " device(s), using " << device << "\n";

  torch::nn::Linear layer(6, 6);
  layer->to(device);
  const double before = spectral_norm(layer, args.iterations);
  {
    torch::NoGradGuard no_grad;
    layer->weight.div_(before);
  }
  std::cout << before << " -> " << spectral_norm(layer, args.iterations) << "\n";

  auto x = torch::randn({2, 6}).to(device);
  std::cout << layer(x).detach().cpu() << "\n";
}
