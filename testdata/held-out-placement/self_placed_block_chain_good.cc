#include <torch/torch.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

// A chain of blocks, each of which says itself where it is.

torch::Device device_of(const torch::nn::Module& module) {
  auto parameters = module.parameters();
  if (parameters.empty()) throw std::invalid_argument("module without parameters");
  const auto device = parameters.front().device();
  for (const auto& p : parameters) {
    if (p.device() != device) throw std::invalid_argument("module on several devices");
  }
  return device;
}

struct BlockImpl : torch::nn::Module {
  BlockImpl(int64_t in, int64_t out)
      : linear(register_module("linear", torch::nn::Linear(in, out))),
        norm(register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({out})))) {}
  torch::Tensor forward(const torch::Tensor& x) { return torch::relu(norm(linear(x))); }
  torch::nn::Linear linear;
  torch::nn::LayerNorm norm;
};
TORCH_MODULE(Block);

struct ChainImpl : torch::nn::Module {
  explicit ChainImpl(const std::vector<int64_t>& widths) {
    for (size_t i = 0; i + 1 < widths.size(); ++i) {
      blocks.push_back(register_module("block" + std::to_string(i), Block(widths[i], widths[i + 1])));
    }
  }

  void spread(const std::vector<torch::Device>& devices) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      blocks[i]->to(devices[i * devices.size() / blocks.size()]);
    }
  }

  torch::Tensor forward(torch::Tensor x) {
    for (auto& block : blocks) x = block->forward(x.to(device_of(*block)));
    return x;
  }

  std::vector<Block> blocks;
};
TORCH_MODULE(Chain);

int main() {
  torch::manual_seed(27);
  Chain chain(std::vector<int64_t>{6, 12, 12, 12, 3});
  std::cout << "built on " << device_of(*chain) << "\n";
  chain->spread({torch::Device("cuda:0"), torch::Device("cuda:1")});
  for (auto& block : chain->blocks) std::cout << "block on " << device_of(*block) << "\n";
  try {
    std::cout << device_of(*chain) << "\n";
  } catch (const std::invalid_argument& e) {
    std::cout << "chain: " << e.what() << "\n";
  }

  torch::optim::Adam optimizer(chain->parameters(), 1e-2);
  for (int step = 0; step < 6; ++step) {
    auto x = torch::randn({10, 6});
    auto target = x.narrow(1, 0, 3).argmax(1);
    auto logits = chain->forward(x);
    auto loss = torch::nn::functional::cross_entropy(logits, target.to(logits.device()));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << std::endl;
  }
}
