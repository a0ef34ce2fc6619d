#include <torch/torch.h>

#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

// Variable-length sentences, padded by a hand-written collate step.
struct Sentence {
  std::vector<int64_t> words;
  int64_t label;
};

struct Minibatch {
  torch::Tensor words;    // [batch, longest]
  torch::Tensor lengths;  // [batch]
  torch::Tensor labels;   // [batch]

  void to(const torch::Device& device) {
    words = words.to(device);
    lengths.to(device); // expect: discarded-transfer
    labels = labels.to(device);
  }
};

std::vector<Sentence> make_corpus(size_t n) {
  std::mt19937 rng(42);
  std::vector<Sentence> corpus;
  for (size_t i = 0; i < n; ++i) {
    Sentence s;
    s.label = static_cast<int64_t>(i % 2);
    size_t length = 3 + rng() % 5;
    for (size_t w = 0; w < length; ++w) s.words.push_back(1 + rng() % 10 + 10 * s.label);
    corpus.push_back(std::move(s));
  }
  return corpus;
}

Minibatch collate(const std::vector<Sentence>& corpus, size_t begin, size_t end) {
  size_t longest = 0;
  for (size_t i = begin; i < end; ++i) longest = std::max(longest, corpus[i].words.size());
  std::vector<torch::Tensor> rows;
  std::vector<int64_t> lengths, labels;
  for (size_t i = begin; i < end; ++i) {
    auto words = corpus[i].words;
    lengths.push_back(static_cast<int64_t>(words.size()));
    labels.push_back(corpus[i].label);
    words.resize(longest, 0);
    rows.push_back(torch::tensor(words, torch::kLong));
  }
  return {torch::stack(rows), torch::tensor(lengths, torch::kFloat),
          torch::tensor(labels, torch::kLong)};
}

struct BagOfWordsImpl : torch::nn::Module {
  BagOfWordsImpl(int64_t vocab, int64_t dim, int64_t classes)
      : embedding(torch::nn::EmbeddingOptions(vocab, dim).padding_idx(0)), fc(dim, classes) {
    register_module("embedding", embedding);
    register_module("fc", fc);
  }
  torch::Tensor forward(const torch::Tensor& words, const torch::Tensor& lengths) {
    auto sum = embedding(words).sum(1);
    auto mean = sum / lengths.unsqueeze(1);
    return fc(mean);
  }
  torch::nn::Embedding embedding;
  torch::nn::Linear fc;
};
TORCH_MODULE(BagOfWords);

int main() {
  torch::manual_seed(1);
  auto corpus = make_corpus(22);
  torch::Device device(torch::kCUDA);
  BagOfWords model(32, 6, 2);
  model->to(device);
  torch::optim::SGD sgd(model->parameters(), 0.5);

  for (int epoch = 1; epoch <= 2; ++epoch) {
    float total = 0;
    for (size_t at = 0; at < corpus.size(); at += 8) {
      auto batch = collate(corpus, at, std::min(at + 8, corpus.size()));
      batch.to(device);
      sgd.zero_grad();
      auto logits = model(batch.words, batch.lengths); // expect: device-mismatch
      auto loss = torch::nn::functional::cross_entropy(logits, batch.labels);
      loss.backward();
      sgd.step();
      total += loss.item<float>();
    }
    std::printf("epoch %d: %.4f\n", epoch, total);
  }
  return 0;
}
