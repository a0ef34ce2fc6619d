// Both sides of the file ask the same question, or the wrapper is left out of the file.
#include <torch/torch.h>

#include <cstring>
#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct RankerImpl : torch::nn::Cloneable<RankerImpl> {
  RankerImpl() { reset(); }
  void reset() override {
    query = register_module("query", torch::nn::Linear(6, 6));
    document = register_module("document", torch::nn::Linear(6, 6));
  }
  torch::Tensor forward(torch::Tensor x) { return (query(x) * document(x)).sum(1); }

  torch::nn::Linear query{nullptr}, document{nullptr};
};
TORCH_MODULE(Ranker);

void train(bool several_cards, const std::string& file) {
  Ranker ranker;
  ranker->to(torch::Device(torch::kCUDA, 0));
  if (several_cards) {
    auto parallel = std::make_shared<DataParallel>(ranker);
    parallel->forward(torch::rand({8, 6})).sum().backward();
    torch::save(parallel, file);
  } else {
    ranker->forward(torch::rand({8, 6}).to(torch::kCUDA)).sum().backward();
    torch::save(ranker, file);
  }
}

void evaluate(bool several_cards, const std::string& file) {
  Ranker ranker;
  if (several_cards) {
    auto parallel = std::make_shared<DataParallel>(ranker);
    torch::load(parallel, file, torch::kCPU);
  } else {
    torch::load(ranker, file, torch::kCPU);
  }
  torch::Tensor scores = ranker->forward(torch::rand({3, 6}));
}

void without_the_wrapper(bool several_cards) {
  Ranker ranker, fresh;
  std::shared_ptr<torch::nn::Module> model = ranker.ptr();
  if (several_cards) model = std::make_shared<DataParallel>(ranker);
  model->train();
  torch::save(ranker, "bare.pt");
  torch::load(fresh, "bare.pt");
}

int main(int argc, char** argv) {
  const bool several_cards = !(argc > 1 && std::strcmp(argv[1], "--one-card") == 0);
  train(several_cards, "ranker.pt");
  evaluate(several_cards, "ranker.pt");
  without_the_wrapper(several_cards);
}
