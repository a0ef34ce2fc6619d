// A training loop in which every transfer is kept: of batches, targets, states and scalars.
#include <torch/torch.h>

#include <iostream>
#include <utility>
#include <vector>

struct TaggerImpl : torch::nn::Module {
  TaggerImpl() {
    words = register_module("words", torch::nn::Embedding(40, 8));
    reader = register_module("reader",
                             torch::nn::LSTM(torch::nn::LSTMOptions(8, 12).batch_first(true)));
    tags = register_module("tags", torch::nn::Linear(12, 5));
  }
  torch::Tensor forward(torch::Tensor x) { return tags(std::get<0>(reader(words(x)))); }

  torch::nn::Embedding words{nullptr};
  torch::nn::LSTM reader{nullptr};
  torch::nn::Linear tags{nullptr};
};
TORCH_MODULE(Tagger);

struct Batch {
  torch::Tensor sentences, tags;

  // As a tensor's: the batch that is there is returned.
  Batch to(const torch::Device& device) const { return {sentences.to(device), tags.to(device)}; }
  // In place, as a module's.
  void move_to(const torch::Device& device) {
    sentences = sentences.to(device);
    tags = tags.to(device);
  }
};

Batch random_batch() {
  return {torch::randint(40, {4, 6}, torch::kLong), torch::randint(5, {4, 6}, torch::kLong)};
}

double loss_of(Tagger& tagger, const Batch& batch) {
  torch::Tensor scores = tagger->forward(batch.sentences).view({-1, 5});
  torch::Tensor loss = torch::cross_entropy_loss(scores, batch.tags.view({-1}));
  loss.backward();
  return loss.cpu().item<double>();
}

int main() {
  const torch::Device device(torch::kCUDA);
  Tagger tagger;
  tagger->to(device);
  std::vector<Batch> batches(3, random_batch());
  double total = 0;
  for (Batch& batch : batches) {
    batch.move_to(device);
    total += loss_of(tagger, batch);
  }
  total += loss_of(tagger, random_batch().to(device));
  Batch moved;
  moved = random_batch().to(device);
  total += loss_of(tagger, moved);
  auto [sentences, tags] = random_batch();
  std::tie(sentences, tags) = std::make_pair(sentences.to(device), tags.to(device));
  total += loss_of(tagger, {sentences, tags});
  std::cout << total << '\n';
}
