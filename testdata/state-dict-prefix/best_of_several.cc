// The best of several runs is kept by name; each was wrapped, and the winner is loaded bare.
#include <torch/torch.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct MlpImpl : torch::nn::Cloneable<MlpImpl> {
  explicit MlpImpl(int64_t width) : width_(width) { reset(); }
  void reset() override {
    layers = register_module("layers", torch::nn::Sequential(torch::nn::Linear(3, width_),
                                                             torch::nn::Tanh(),
                                                             torch::nn::Linear(width_, 1)));
  }
  torch::Tensor forward(torch::Tensor x) { return layers->forward(x); }
  torch::nn::Sequential layers{nullptr};

 private:
  int64_t width_;
};
TORCH_MODULE(Mlp);

const char* const kBest = "best.pt";

float train(const std::shared_ptr<DataParallel>& parallel, const torch::Tensor& data) {
  torch::optim::Adam optimizer(parallel->parameters());
  torch::Tensor loss;
  for (int turn = 0; turn < 3; ++turn) {
    optimizer.zero_grad();
    loss = parallel->forward(data).pow(2).mean();
    loss.backward();
    optimizer.step();
  }
  return loss.item<float>();
}

void search(const std::vector<double>& dropouts) {
  std::map<std::string, float> losses;
  float best = 1e9F;
  for (double dropout : dropouts) {
    auto parallel = std::make_shared<DataParallel>(Mlp(8));
    parallel->to(torch::Device(torch::kCUDA, 0));
    torch::Tensor data = torch::dropout(torch::rand({16, 3}), dropout, /*train=*/true);
    const float loss = train(parallel, data);
    losses[std::to_string(dropout)] = loss;
    if (loss < best) {
      best = loss;
      torch::save(parallel, kBest);
    }
  }
}

int main() {
  search({0.0, 0.1, 0.2});
  Mlp winner(8);
  torch::load(winner, kBest, torch::kCPU);  // expect: state-dict-prefix
  torch::Tensor output = winner->forward(torch::rand({1, 3}));
}
