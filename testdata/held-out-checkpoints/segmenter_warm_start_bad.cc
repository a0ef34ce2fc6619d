#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using StateDict = torch::OrderedDict<std::string, torch::Tensor>;

struct SegmenterImpl : torch::nn::Cloneable<SegmenterImpl> {
  SegmenterImpl() { reset(); }
  void reset() override {
    enc = register_module("enc", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3).padding(1)));
    bn = register_module("bn", torch::nn::BatchNorm2d(4));
    dec = register_module("dec", torch::nn::Conv2d(torch::nn::Conv2dOptions(4, 2, 1)));
  }
  torch::Tensor forward(torch::Tensor x) { return dec(torch::relu(bn(enc(x)))); }
  torch::nn::Conv2d enc{nullptr}, dec{nullptr};
  torch::nn::BatchNorm2d bn{nullptr};
};
TORCH_MODULE(Segmenter);

StateDict get_state(const torch::nn::Module& module) {
  StateDict state;
  for (const auto& p : module.named_parameters()) state.insert(p.key(), p.value().detach().to(torch::kCPU, p.value().scalar_type(), false, true));
  for (const auto& b : module.named_buffers()) state.insert(b.key(), b.value().to(torch::kCPU, b.value().scalar_type(), false, true));
  return state;
}

void load_strict(torch::nn::Module& module, const StateDict& state) {
  torch::NoGradGuard guard;
  auto own = module.named_parameters();
  own.update(module.named_buffers());
  if (own.size() != state.size()) throw std::runtime_error("state dict has another number of entries");
  for (auto& item : own) {
    const torch::Tensor* saved = state.find(item.key()); // expect: state-dict-prefix
    if (saved == nullptr) {
      throw std::runtime_error("Missing key in state dict: " + item.key());
    }
    item.value().copy_(*saved);
  }
}

int main() {
  torch::manual_seed(4);
  torch::Device device("cuda:0");

  // Warm-up on one GPU.
  Segmenter warm;
  warm->to(device);
  torch::optim::SGD warm_sgd(warm->parameters(), 0.1);
  for (int i = 0; i < 2; ++i) {
    auto loss = warm(torch::randn({2, 3, 6, 6}, device)).pow(2).mean();
    warm_sgd.zero_grad();
    loss.backward();
    warm_sgd.step();
  }
  const StateDict state = get_state(*warm);
  std::cout << "warm-up done, " << state.size() << " tensors" << std::endl;

  // Then on two.
  Segmenter net;
  DataParallel parallel(net, {0, 1});
  parallel.to(device);
  load_strict(parallel, state);
  torch::optim::SGD sgd(parallel.parameters(), 0.05);
  for (int i = 0; i < 3; ++i) {
    auto images = torch::randn({4, 3, 6, 6});
    auto masks = torch::randint(0, 2, {4, 6, 6}, torch::kLong).to(device);
    auto loss = torch::nn::functional::cross_entropy(parallel.forward(images), masks);
    sgd.zero_grad();
    loss.backward();
    sgd.step();
    std::cout << "step " << i << " " << loss.item<float>() << "\n";
  }
}
