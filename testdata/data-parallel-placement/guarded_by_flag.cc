// With one card the net is moved; with several that is thought to be the wrapper's affair.
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
  const bool one_card = argc > 1 && std::strcmp(argv[1], "--one-card") == 0;
  const torch::Device card(torch::kCUDA, 0);
  Tagger tagger;
  std::shared_ptr<DataParallel> parallel;
  if (one_card) {
    tagger->to(card);
  } else {
    parallel = std::make_shared<DataParallel>(tagger);
  }
  torch::optim::SGD optimizer(tagger->parameters(), 0.1);
  for (int turn = 0; turn < 4; ++turn) {
    torch::Tensor sentences = torch::randint(50, {8, 12}, torch::kLong).to(card);
    torch::Tensor expected = torch::randint(5, {8 * 12}, torch::kLong).to(card);
    optimizer.zero_grad();
    torch::Tensor scores;
    if (one_card) {
      scores = tagger->forward(sentences);
    } else {
      scores = parallel->forward(sentences);  // expect: data-parallel-placement
    }
    torch::cross_entropy_loss(scores.view({-1, 5}), expected).backward();
    optimizer.step();
  }
}
