#include <torch/torch.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

// Sentence classifier with a big frozen word table, which stays in host memory.

class Vocabulary {
 public:
  explicit Vocabulary(std::vector<std::string> words) {
    for (auto& word : words) ids_.emplace(std::move(word), static_cast<int64_t>(ids_.size()) + 1);
  }

  // Unknown words are 0, as is the padding.
  torch::Tensor encode(const std::string& sentence, int64_t length) const {
    std::vector<int64_t> ids;
    std::string word;
    for (char c : sentence + " ") {
      if (c != ' ') {
        word += c;
      } else if (!word.empty()) {
        auto found = ids_.find(word);
        ids.push_back(found == ids_.end() ? 0 : found->second);
        word.clear();
      }
    }
    ids.resize(static_cast<size_t>(length), 0);
    return torch::tensor(ids, torch::kLong);
  }

  int64_t size() const { return static_cast<int64_t>(ids_.size()) + 1; }

 private:
  std::map<std::string, int64_t> ids_;
};

struct Classifier {
  Classifier(int64_t words, int64_t width, torch::Device where)
      : table(torch::randn({words, width})), head(width, 2), device(where) {
    head->to(device);
    head->eval();
  }

  torch::Tensor operator()(const torch::Tensor& ids) {
    auto vectors = torch::embedding(table, ids); // expect: device-mismatch
    auto mask = ids.ne(0).unsqueeze(-1).to(vectors.dtype());
    auto mean = (vectors * mask).sum(1) / mask.sum(1).clamp_min(1);
    return torch::softmax(head(mean.to(device)), 1);
  }

  torch::Tensor table;
  torch::nn::Linear head;
  torch::Device device;
};

int main() {
  torch::manual_seed(19);
  torch::NoGradGuard no_grad;
  const torch::Device device(torch::kCUDA, 0);
  Vocabulary vocabulary({"the", "film", "was", "good", "bad", "very", "long"});
  Classifier classifier(vocabulary.size(), 12, device);

  const std::vector<std::string> sentences = {"the film was very good", "bad very bad", "a long film"};
  std::vector<torch::Tensor> rows;
  for (const auto& sentence : sentences) rows.push_back(vocabulary.encode(sentence, 6));
  auto ids = torch::stack(rows).to(device);

  auto probabilities = classifier(ids).cpu();
  for (size_t i = 0; i < sentences.size(); ++i) {
    std::cout << sentences[i] << ": " << probabilities[i][1].item<float>() << "\n";
  }
  return 0;
}
