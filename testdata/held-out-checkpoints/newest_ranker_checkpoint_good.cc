#include <torch/torch.h>

#include "runtime/torch/data_parallel.h"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>

namespace fs = std::filesystem;
using placecheck::parallel::DataParallel;

struct RankerImpl : torch::nn::Cloneable<RankerImpl> {
  RankerImpl() { reset(); }

  void reset() override {
    layers = register_module(
        "layers", torch::nn::Sequential(torch::nn::Linear(7, 14), torch::nn::ELU(),
                                        torch::nn::Linear(14, 14), torch::nn::ELU()));
    score = register_module("score", torch::nn::Linear(14, 1));
  }

  torch::Tensor forward(torch::Tensor x) { return score(layers->forward(x)).squeeze(1); }

  torch::nn::Sequential layers{nullptr};
  torch::nn::Linear score{nullptr};
};
TORCH_MODULE(Ranker);

std::optional<fs::path> newest(const fs::path& folder) {
  std::optional<fs::path> best;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".pt") continue;
    if (!best || entry.path().filename() > best->filename()) best = entry.path();
  }
  return best;
}

int main() {
  torch::manual_seed(13);
  const fs::path folder = fs::temp_directory_path() / "ranker";
  fs::create_directories(folder);

  // A single-GPU run wrote two checkpoints.
  Ranker trained;
  trained->to(torch::Device(torch::kCUDA, 1));
  for (int epoch = 0; epoch < 2; ++epoch) {
    {
      torch::NoGradGuard guard;
      for (auto& p : trained->parameters()) p.add_(0.01);
    }
    torch::save(trained, (folder / ("epoch" + std::to_string(epoch) + ".pt")).string());
  }

  // This run uses both GPUs; the files hold the bare net's keys, so they go into the inner net.
  DataParallel model(Ranker(), {0, 1});
  if (auto file = newest(folder)) {
    std::cout << "resuming from " << file->filename() << "\n";
    torch::load(model.module(), file->string());
  }
  model.to(model.device_ids().front());

  torch::optim::SGD optimizer(model.parameters(), 1e-2);
  for (int i = 0; i < 4; ++i) {
    auto documents = torch::randn({10, 7}, torch::kCUDA);
    auto relevance = documents.select(1, 0);
    optimizer.zero_grad();
    auto loss = (model.forward(documents) - relevance).pow(2).mean();
    loss.backward();
    optimizer.step();
    std::cout << i << ": " << loss.item<float>() << "\n";
  }
  fs::remove_all(folder);
}
