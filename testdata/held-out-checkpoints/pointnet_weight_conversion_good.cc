#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <iostream>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

using placecheck::parallel::DataParallel;
using State = torch::OrderedDict<std::string, torch::Tensor>;

struct PointNetImpl : torch::nn::Cloneable<PointNetImpl> {
  PointNetImpl() { reset(); }
  void reset() override {
    local_module = register_module("local_module", torch::nn::Linear(3, 12));
    global_module = register_module("global_module", torch::nn::Linear(12, 6));
  }
  torch::Tensor forward(torch::Tensor points) {
    auto features = torch::relu(local_module(points));
    return global_module(std::get<0>(features.max(1)));
  }
  torch::nn::Linear local_module{nullptr}, global_module{nullptr};
};
TORCH_MODULE(PointNet);

State detached(const torch::nn::Module& module) {
  State state;
  for (const auto& p : module.named_parameters()) {
    state.insert(p.key(), p.value().detach().clone());
  }
  return state;
}

State renamed(const State& state, bool wrapped) {
  static const std::regex prefix("^module\\.");
  State result;
  for (const auto& item : state) {
    auto name = std::regex_replace(item.key(), prefix, "");
    result.insert(wrapped ? "module." + name : name, item.value());
  }
  return result;
}

void load_state(torch::nn::Module& module, const State& state) {
  torch::NoGradGuard no_grad;
  std::set<std::string> unused;
  for (const auto& key : state.keys()) unused.insert(key);
  for (auto& p : module.named_parameters()) {
    p.value().copy_(state[p.key()]);
    unused.erase(p.key());
  }
  if (!unused.empty()) throw std::runtime_error("unexpected key " + *unused.begin());
}

int main() {
  torch::manual_seed(42);
  const torch::Device gpu0("cuda:0"), gpu1("cuda:1");
  auto clouds = torch::randn({4, 9, 3});

  PointNet source;
  source->to(gpu1);
  State bare = detached(*source);

  // single -> multi
  DataParallel multi(PointNet(), {0, 1});
  load_state(multi, renamed(bare, true));
  multi.to(gpu0);
  auto expected = source->forward(clouds.to(gpu1)).cpu();
  auto actual = multi.forward(clouds).cpu();
  std::cout << "difference " << (expected - actual).abs().max().item<float>() << "\n";

  // multi -> single
  PointNet back;
  back->to(gpu1);
  load_state(*back, renamed(detached(multi), false));
  auto again = back->forward(clouds.to(gpu1)).cpu();
  std::cout << "difference " << (expected - again).abs().max().item<float>() << "\n";
}
