// Whether there is one card or several, the net is on the first; without any, nothing is wrapped.
#include <torch/torch.h>

#include <cstring>
#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct TaggerImpl : torch::nn::Cloneable<TaggerImpl> {
  TaggerImpl() { reset(); }
  void reset() override {
    words = register_module("words", torch::nn::Embedding(50, 8));
    tags = register_module("tags", torch::nn::Linear(8, 5));
  }
  torch::Tensor forward(torch::Tensor x) { return tags(words(x)); }

  torch::nn::Embedding words{nullptr};
  torch::nn::Linear tags{nullptr};
};
TORCH_MODULE(Tagger);

int main(int argc, char** argv) {
  const bool use_cuda = torch::cuda::is_available();
  const bool one_card = argc > 1 && std::strcmp(argv[1], "--one-card") == 0;
  const torch::Device device = use_cuda ? torch::Device(torch::kCUDA, 0) : torch::Device("cpu");
  Tagger tagger;
  tagger->to(device);
  std::shared_ptr<DataParallel> parallel;
  if (use_cuda && !one_card) parallel = std::make_shared<DataParallel>(tagger);
  torch::optim::SGD optimizer(tagger->parameters(), 0.1);
  for (int turn = 0; turn < 4; ++turn) {
    torch::Tensor sentences = torch::randint(50, {8, 12}, torch::kLong).to(device);
    torch::Tensor expected = torch::randint(5, {8 * 12}, torch::kLong).to(device);
    optimizer.zero_grad();
    torch::Tensor scores = parallel ? parallel->forward(sentences) : tagger->forward(sentences);
    torch::cross_entropy_loss(scores.view({-1, 5}), expected).backward();
    optimizer.step();
  }
}
