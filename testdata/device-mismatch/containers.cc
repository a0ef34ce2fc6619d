// Tensors in vectors, maps and pairs.
#include <torch/torch.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
  torch::Device device(torch::kCUDA);
  auto x = torch::rand({2, 2}, device);

  std::vector<torch::Tensor> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(torch::rand({2, 2}).to(device));
  auto good = torch::cat(parts) + torch::stack(parts).sum(0)[0];

  std::vector<torch::Tensor> host;
  for (int i = 0; i < 3; ++i) host.emplace_back(torch::rand({2, 2}));
  auto joined = torch::cat(host, 0);
  auto bad = torch::cat(host, 0).sum(0) + x;  // expect: device-mismatch
  for (auto& t : host) t = t.to(device);
  good = host[0] + x;

  std::map<std::string, torch::Tensor> batch;
  batch["x"] = torch::rand({2, 2});
  batch["y"] = torch::rand({2, 2});
  auto loss = torch::mse_loss(x, batch["x"]);  // expect: device-mismatch
  for (auto& [name, value] : batch) value = value.to(device);
  loss = torch::mse_loss(x, batch["x"]);

  std::unordered_map<std::string, torch::Tensor> table{{"mean", torch::zeros({2}, device)},
                                                       {"std", torch::ones({2}, device)}};
  good = (x - table.at("mean")) / table["std"];
  return 0;
}
