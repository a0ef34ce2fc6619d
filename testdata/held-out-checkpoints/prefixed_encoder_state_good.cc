#include <torch/torch.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "runtime/torch/data_parallel.h"

namespace pp = placecheck::parallel;
using Weights = std::unordered_map<std::string, torch::Tensor>;

struct EncoderImpl : torch::nn::Cloneable<EncoderImpl> {
  EncoderImpl() { reset(); }
  void reset() override {
    proj = register_module("proj", torch::nn::Linear(8, 8));
    norm = register_module("norm", torch::nn::BatchNorm1d(8));
    head = register_module("head", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return head(torch::relu(norm(proj(x)))); }
  torch::nn::Linear proj{nullptr}, head{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
};
TORCH_MODULE(Encoder);

Weights collect(const torch::nn::Module& m) {
  Weights w;
  for (const auto& p : m.named_parameters()) w.emplace(p.key(), p.value().detach().clone());
  for (const auto& b : m.named_buffers()) w.emplace(b.key(), b.value().clone());
  return w;
}

Weights without_prefix(const Weights& in, const std::string& prefix) {
  Weights out;
  for (const auto& [name, tensor] : in) {
    const bool wrapped = name.rfind(prefix, 0) == 0;
    out[wrapped ? name.substr(prefix.size()) : name] = tensor;
  }
  return out;
}

void assign_strictly(torch::nn::Module& m, const Weights& w) {
  torch::NoGradGuard off;
  auto assign = [&](const std::string& name, torch::Tensor& slot) {
    auto found = w.find(name);
    if (found == w.end()) throw std::runtime_error("missing key in state dict: " + name);
    slot.copy_(found->second);
  };
  auto parameters = m.named_parameters();
  for (auto& p : parameters) assign(p.key(), p.value());
  auto buffers = m.named_buffers();
  for (auto& b : buffers) assign(b.key(), b.value());
}

int main() {
  torch::Device first(torch::kCUDA, 0);
  Encoder net;
  pp::DataParallel trained(net, {0, 1});
  trained.to(first);
  torch::optim::SGD sgd(trained.parameters(), 0.05);
  for (int i = 0; i < 3; ++i) {
    sgd.zero_grad();
    auto out = trained.forward(torch::randn({8, 8}, first));
    auto loss = out.pow(2).mean();
    loss.backward();
    sgd.step();
  }

  Weights saved = collect(trained);
  Encoder restored;
  restored->to(torch::kCUDA);
  assign_strictly(*restored, without_prefix(saved, "module."));
  restored->eval();

  // The same helper works for dictionaries that were never wrapped.
  Encoder again;
  assign_strictly(*again, without_prefix(collect(*restored), "module."));
  again->eval();

  torch::NoGradGuard off;
  auto x = torch::randn({3, 8});
  auto a = restored(x.to(torch::kCUDA)).cpu();
  auto b = again(x);
  std::cout << "difference " << (a - b).abs().max().item<float>() << "\n";
}
