#include <torch/torch.h>

#include <iostream>
#include <vector>

// Random features for a kernel approximation; created on whatever GPU is current.
struct RandomFeatures {
  explicit RandomFeatures(int64_t in, int64_t out)
      : projection(torch::randn({in, out}, torch::kCUDA)),
        phase(torch::rand({out}, torch::kCUDA) * 6.2831853) {}

  torch::Tensor operator()(const torch::Tensor& x) const {
    return torch::cos(x.to(projection.device()).matmul(projection) + phase);
  }

  torch::Tensor projection, phase;
};

torch::Tensor ridge(const torch::Tensor& z, const torch::Tensor& y, double lambda) {
  auto eye = torch::eye(z.size(1), z.options());
  auto gram = z.t().matmul(z) + lambda * eye;
  // A few steps of gradient descent are enough here.
  auto w = torch::zeros({z.size(1), 1}, z.options());
  for (int i = 0; i < 50; ++i) w -= 1e-3 * (gram.matmul(w) - z.t().matmul(y));
  return w;
}

int main() {
  torch::manual_seed(4);
  auto x = torch::randn({64, 5});
  auto y = torch::sin(x.sum(1, true));

  std::vector<RandomFeatures> maps;
  const auto gpus = static_cast<int>(torch::cuda::device_count());
  for (int i = 0; i < gpus; ++i) {
    c10::DeviceGuard guard(torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(i)));
    maps.emplace_back(5, 32);
  }

  auto mean = torch::zeros_like(y);
  for (const auto& features : maps) {
    auto z = features(x);
    auto w = ridge(z, y.to(z.device()), 0.1);
    auto fitted = z.matmul(w);
    std::cout << z.device() << ": error " << (fitted.cpu() - y).pow(2).mean().item<float>() << "\n";
    mean += fitted.cpu() / static_cast<double>(maps.size());
  }
  std::cout << "ensemble error " << (mean - y).pow(2).mean().item<float>() << "\n";
  return 0;
}
