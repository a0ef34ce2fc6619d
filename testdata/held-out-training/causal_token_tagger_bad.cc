#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <tuple>

#include "runtime/torch/data_parallel.h"

namespace nn = torch::nn;

// A token classifier: embedding, a causal self-attention, a head. Trained on two GPUs.
class CausalTaggerImpl : public nn::Cloneable<CausalTaggerImpl> {
 public:
  CausalTaggerImpl(int64_t vocab, int64_t dim, int64_t tags) : vocab_(vocab), dim_(dim), tags_(tags) {
    reset();
  }

  void reset() override {
    embed_ = register_module("embed", nn::Embedding(vocab_, dim_));
    query_ = register_module("query", nn::Linear(dim_, dim_));
    key_ = register_module("key", nn::Linear(dim_, dim_));
    value_ = register_module("value", nn::Linear(dim_, dim_));
    head_ = register_module("head", nn::Linear(dim_, tags_));
  }

  torch::Tensor forward(torch::Tensor tokens) {
    const auto length = tokens.size(1);
    auto x = embed_(tokens);
    auto scores = torch::matmul(query_(x), key_(x).transpose(1, 2)) / std::sqrt(double(dim_));
    auto mask = torch::ones({length, length}, torch::TensorOptions(torch::kCUDA, 0).dtype(torch::kBool)).triu(1);
    scores = scores.masked_fill(mask.unsqueeze(0), -1e9); // expect: hardcoded-device
    x = x + torch::matmul(torch::softmax(scores, -1), value_(x));
    return head_(torch::relu(x));
  }

 private:
  int64_t vocab_, dim_, tags_;
  nn::Embedding embed_{nullptr};
  nn::Linear query_{nullptr}, key_{nullptr}, value_{nullptr}, head_{nullptr};
};
TORCH_MODULE(CausalTagger);

std::pair<torch::Tensor, torch::Tensor> make_batch(int64_t size, int64_t length, int64_t vocab,
                                                   int64_t tags) {
  auto tokens = torch::randint(vocab, {size, length}, torch::kLong);
  return {tokens, tokens.remainder(tags)};
}

int main() {
  torch::manual_seed(7);
  const int64_t kVocab = 20, kTags = 5, kLength = 6;

  CausalTagger tagger(kVocab, 16, kTags);
  tagger->to(torch::Device("cuda:0"));
  placecheck::parallel::DataParallel net(tagger, {0, 1});
  torch::optim::Adam optimizer(net.parameters(), 1e-2);

  for (int step = 0; step < 5; ++step) {
    auto [tokens, tags] = make_batch(8, kLength, kVocab, kTags);
    optimizer.zero_grad();
    auto logits = net.forward(tokens);
    auto loss = nn::functional::cross_entropy(logits.reshape({-1, kTags}),
                                              tags.reshape({-1}).to(logits.device()));
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << std::endl;
  }
  return 0;
}
