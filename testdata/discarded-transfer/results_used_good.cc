// The result is an argument, a receiver, what is returned, or what a condition asks.
#include <torch/torch.h>

#include <vector>

torch::Tensor halved(const torch::Tensor& x) { return x / 2; }

torch::Tensor moved(const torch::Tensor& x, torch::Device device) { return x.to(device); }

bool arrives(const torch::Tensor& x, torch::Device device) {
  if (x.to(device).device().is_cuda()) return true;
  return x.to(device).defined();
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::Tensor x = torch::rand({4});
  halved(x.to(device));
  moved(x, device).add_(1);
  std::vector<torch::Tensor> kept;
  kept.push_back(x.to(device));
  kept.emplace_back(x.cuda());
  torch::nn::Linear net(4, 2);
  auto weights = net->parameters();
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = weights[i].to(device);
  auto norm = weights[0].norm();
  auto y = arrives(x, device) ? x.to(device).sum() : kept[0].sum();
}
