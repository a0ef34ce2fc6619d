#include <torch/torch.h>

#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_map>

// Word vectors trained on the second GPU, reused by a sentiment model on the first.

class Vocabulary {
 public:
  int64_t add(const std::string& word) {
    auto [it, inserted] = index_.emplace(word, static_cast<int64_t>(index_.size()));
    return it->second;
  }
  std::optional<int64_t> find(const std::string& word) const {
    auto it = index_.find(word);
    if (it == index_.end()) return std::nullopt;
    return it->second;
  }
  int64_t size() const { return static_cast<int64_t>(index_.size()); }

 private:
  std::unordered_map<std::string, int64_t> index_;
};

torch::Tensor encode(const Vocabulary& vocabulary, const std::string& sentence) {
  std::vector<int64_t> ids;
  std::istringstream words(sentence);
  for (std::string word; words >> word;) ids.push_back(vocabulary.find(word).value_or(0));
  return torch::tensor(ids, torch::kLong).unsqueeze(0);
}

struct SentimentImpl : torch::nn::Module {
  SentimentImpl(int64_t words, int64_t dim)
      : embedding(register_module("embedding", torch::nn::Embedding(words, dim))),
        linear(register_module("linear", torch::nn::Linear(dim, 2))) {}
  torch::Tensor forward(torch::Tensor ids) { return linear(embedding(ids).mean(1)); }
  torch::nn::Embedding embedding;
  torch::nn::Linear linear;
};
TORCH_MODULE(Sentiment);

int main() {
  Vocabulary vocabulary;
  for (const char* word : {"<unk>", "good", "bad", "film", "a", "very"}) vocabulary.add(word);

  std::stringstream table_file;
  {
    torch::nn::Embedding table(vocabulary.size(), 8);
    table->to(torch::Device("cuda:1"));
    torch::Tensor vectors = table->weight.detach();
    torch::save(vectors, table_file);
  }

  torch::Device device("cuda:0");
  Sentiment model(vocabulary.size(), 8);
  torch::Tensor vectors;
  torch::load(vectors, table_file);
  {
    torch::NoGradGuard guard;
    model->embedding->weight.copy_(vectors);
  }
  model->embedding->weight.set_requires_grad(false);
  model->to(device);

  torch::optim::Adam adam(model->linear->parameters(), 0.01);
  const std::pair<const char*, int64_t> corpus[] = {{"a good film", 1}, {"a very bad film", 0}, {"very good", 1}};
  for (int epoch = 0; epoch < 3; ++epoch) {
    float total = 0;
    for (const auto& [text, label] : corpus) {
      auto ids = encode(vocabulary, text).to(device);
      auto target = torch::full({1}, label, torch::TensorOptions(torch::kLong).device(device));
      adam.zero_grad();
      auto loss = torch::nn::functional::cross_entropy(model(ids), target);
      loss.backward();
      adam.step();
      total += loss.item<float>();
    }
    std::cout << "epoch " << epoch << " " << total << "\n";
  }
}
