// Wrapped where there are several cards, saved as it is; evaluation never wraps.
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

struct Options {
  bool one_card = false;
  std::string file = "ranker.pt";
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--one-card") == 0) options.one_card = true;
  }
  return options;
}

void train(const Options& options) {
  Ranker ranker;
  ranker->to(torch::Device(torch::kCUDA, 0));
  if (options.one_card) {
    ranker->forward(torch::rand({8, 6}).to(torch::kCUDA)).sum().backward();
    torch::save(ranker, options.file);
    return;
  }
  auto parallel = std::make_shared<DataParallel>(ranker);
  parallel->forward(torch::rand({8, 6})).sum().backward();
  torch::save(parallel, options.file);
}

void evaluate(const Options& options) {
  Ranker ranker;
  torch::load(ranker, options.file, torch::kCPU);  // expect: state-dict-prefix
  torch::Tensor scores = ranker->forward(torch::rand({3, 6}));
}

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  train(options);
  evaluate(options);
}
