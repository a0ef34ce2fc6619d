#include <torch/torch.h>

#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

class Tokenizer {
 public:
  explicit Tokenizer(const std::vector<std::string>& words) {
    for (const auto& word : words) vocab_.emplace(word, static_cast<int64_t>(vocab_.size()) + 2);
  }

  // 0 is padding, 1 the unknown word.
  torch::Tensor encode(const std::string& text, size_t length) const {
    std::vector<int64_t> ids(length, 0);
    std::istringstream in(text);
    std::string word;
    for (size_t i = 0; i < length && in >> word; ++i) {
      auto found = vocab_.find(word);
      ids[i] = found == vocab_.end() ? 1 : found->second;
    }
    return torch::tensor(ids, torch::kLong);
  }

  int64_t size() const { return static_cast<int64_t>(vocab_.size()) + 2; }

 private:
  std::map<std::string, int64_t> vocab_;
};

struct SentimentImpl : torch::nn::Module {
  SentimentImpl(int64_t vocab, int64_t dim)
      : embedding(torch::nn::EmbeddingOptions(vocab, dim).padding_idx(0)), fc(dim, 2) {
    register_module("embedding", embedding);
    register_module("fc", fc);
  }
  torch::Tensor forward(const torch::Tensor& ids) {
    auto vectors = embedding->forward(ids);
    auto mask = ids.ne(0).unsqueeze(-1).to(vectors.dtype());
    auto mean = (vectors * mask).sum(1) / mask.sum(1).clamp_min(1);
    return fc->forward(mean);
  }
  torch::nn::Embedding embedding;
  torch::nn::Linear fc;
};
TORCH_MODULE(Sentiment);

int main() {
  torch::manual_seed(10);
  Tokenizer tokenizer({"the", "film", "was", "good", "bad", "boring", "great"});
  torch::Device device(torch::cuda::is_available() ? "cuda:0" : "cpu");

  Sentiment model(tokenizer.size(), 6);
  model->to(device);
  model->eval();

  const std::vector<std::string> reviews = {"the film was great", "a boring film"};
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> rows;
  for (const auto& review : reviews) rows.push_back(tokenizer.encode(review, 5));

  auto ids = torch::stack(rows);
  auto probabilities = torch::softmax(model->forward(ids), 1).to(torch::kCPU); // expect: device-mismatch
  for (size_t i = 0; i < reviews.size(); ++i) {
    std::cout << reviews[i] << ": " << probabilities[i][1].item<float>() << "\n";
  }
}
