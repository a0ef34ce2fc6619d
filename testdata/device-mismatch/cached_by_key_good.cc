// A table filled on demand, by keys that are not known, and a set that tells what stays.
#include <torch/torch.h>

#include <map>
#include <set>
#include <string>
#include <utility>

using Batch = std::map<std::string, torch::Tensor>;

const std::set<std::string> kStays = {"index"};

Batch make_batch() {
  Batch batch;
  batch["input"] = torch::rand({2, 4});
  batch["target"] = torch::rand({2, 4});
  batch["index"] = torch::arange(2);
  return batch;
}

Batch moved(const Batch& batch, torch::Device device) {
  Batch result;
  for (const auto& [name, tensor] : batch)
    result.emplace(name, kStays.count(name) ? tensor : tensor.to(device));
  return result;
}

struct GridImpl : torch::nn::Module {
  GridImpl() { layer = register_module("layer", torch::nn::Linear(4, 4)); }
  const torch::Tensor& grid(int64_t size, torch::Device device) {
    auto& cached = grids[{size, device.str()}];
    if (!cached.defined()) cached = torch::arange(size, torch::kFloat).to(device);
    return cached;
  }
  torch::Tensor forward(torch::Tensor x) {
    auto y = layer(x);
    return y + grid(y.size(1), y.device());
  }
  torch::nn::Linear layer{nullptr};
  std::map<std::pair<int64_t, std::string>, torch::Tensor> grids;
};
TORCH_MODULE(Grid);

int main() {
  const torch::Device gpu(torch::kCUDA, 0);
  Grid net;
  auto x = torch::rand({2, 4});
  net->forward(x);
  net->to(gpu);
  net->forward(x.to(gpu));
  Batch batch = moved(make_batch(), gpu);
  torch::mse_loss(net->forward(batch["input"]), batch["target"]);
}
