#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <sstream>

#include "runtime/torch/data_parallel.h"

namespace {

class GruTaggerImpl : public torch::nn::Cloneable<GruTaggerImpl> {
 public:
  GruTaggerImpl(int64_t vocab, int64_t hidden, int64_t tags)
      : vocab_(vocab), hidden_(hidden), tags_(tags) {
    reset();
  }

  void reset() override {
    embedding_ = register_module("embedding", torch::nn::Embedding(vocab_, hidden_));
    gru_ = register_module(
        "gru", torch::nn::GRU(torch::nn::GRUOptions(hidden_, hidden_).batch_first(true)));
    tagger_ = register_module("tagger", torch::nn::Linear(hidden_, tags_));
  }

  torch::Tensor forward(torch::Tensor tokens) {
    auto x = embedding_(tokens);
    auto h0 = x.new_zeros({1, tokens.size(0), hidden_});
    return tagger_(std::get<0>(gru_(x, h0)));
  }

 private:
  int64_t vocab_, hidden_, tags_;
  torch::nn::Embedding embedding_{nullptr};
  torch::nn::GRU gru_{nullptr};
  torch::nn::Linear tagger_{nullptr};
};
TORCH_MODULE(GruTagger);

using placecheck::parallel::DataParallel;

torch::Tensor tags_of(const torch::Tensor& tokens) { return tokens.remainder(4); }

void fit(DataParallel& net, torch::optim::Optimizer& optimizer, int steps) {
  for (int i = 0; i < steps; ++i) {
    auto tokens = torch::randint(0, 16, {9, 5}, torch::kLong);
    auto logits = net.forward(tokens);
    auto target = tags_of(tokens).to(logits.device());
    auto loss = torch::nn::functional::cross_entropy(logits.flatten(0, 1), target.flatten());
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }
}

}  // namespace

int main() {
  torch::manual_seed(77);
  std::stringstream weights, moments;

  {
    GruTagger tagger(16, 8, 4);
    tagger->to(torch::Device("cuda:0"));
    DataParallel net(tagger, {0, 1});
    torch::optim::Adam adam(net.parameters(), torch::optim::AdamOptions(0.01));
    fit(net, adam, 3);
    // Without the wrapper, so that it can be used on one GPU or none as well.
    torch::save(net.module(), weights);
    torch::save(adam, moments);
  }

  // Resume.
  GruTagger tagger(16, 8, 4);
  torch::load(tagger, weights);
  tagger->to(torch::Device("cuda:0"));
  DataParallel net(tagger, {0, 1});
  torch::optim::Adam adam(net.parameters(), torch::optim::AdamOptions(0.01));
  torch::load(adam, moments);
  fit(net, adam, 2);

  // And on the host.
  GruTagger host(16, 8, 4);
  weights.clear();
  weights.seekg(0);
  torch::load(host, weights, torch::kCPU);
  host->to(torch::kCPU);
  host->eval();
  torch::NoGradGuard guard;
  auto tokens = torch::randint(0, 16, {2, 5}, torch::kLong);
  std::cout << host->forward(tokens).argmax(-1).eq(tags_of(tokens)).sum().item<int64_t>()
            << " of 10 tags right\n";
}
