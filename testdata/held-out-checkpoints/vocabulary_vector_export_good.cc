#include <torch/torch.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

// Vocabulary vectors are exported by the trainer and used by a CPU-only tool and by a GPU service.

namespace vocab {

void store(const std::string& path, const torch::Tensor& vectors, const std::vector<std::string>& words) {
  c10::List<std::string> list;
  for (const auto& word : words) list.push_back(word);
  c10::impl::GenericDict dict(c10::StringType::get(), c10::AnyType::get());
  dict.insert("vectors", vectors);
  dict.insert("words", list);
  auto bytes = torch::pickle_save(dict);
  std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
}

struct Vocabulary {
  torch::Tensor vectors;
  std::vector<std::string> words;
};

Vocabulary read(const std::string& path, c10::optional<torch::Device> device = c10::nullopt) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  auto dict = torch::pickle_load(bytes).toGenericDict();
  Vocabulary result;
  result.vectors = dict.at("vectors").toTensor();
  if (device) result.vectors = result.vectors.to(*device);
  for (const c10::IValue& word : dict.at("words").toListRef()) {
    result.words.push_back(word.toStringRef());
  }
  return result;
}

}  // namespace vocab

std::string closest(const vocab::Vocabulary& v, const torch::Tensor& query) {
  auto scores = torch::mv(v.vectors, query);
  return v.words.at(scores.argmax().item<int64_t>());
}

int main() {
  torch::manual_seed(52);
  const std::string path = "/tmp/vocabulary.pkl";
  const std::vector<std::string> words{"tree", "river", "stone", "cloud"};
  {
    torch::nn::Embedding embedding(4, 6);
    embedding->to(torch::Device("cuda:1"));
    vocab::store(path, embedding->weight.detach(), words);
  }

  auto on_cpu = vocab::read(path, torch::Device(torch::kCPU));
  std::cout << "CPU: " << closest(on_cpu, torch::randn({6})) << "\n";

  torch::Device gpu("cuda:0");
  auto on_gpu = vocab::read(path, gpu);
  torch::nn::Linear query(3, 6);
  query->to(gpu);
  torch::NoGradGuard no_grad;
  std::cout << "GPU: " << closest(on_gpu, query->forward(torch::ones({3}, gpu))) << "\n";

  auto as_saved = vocab::read(path);
  auto self = as_saved.vectors[2] * 2;
  std::cout << "as saved, on " << as_saved.vectors.device() << ": " << closest(as_saved, self) << "\n";
  std::remove(path.c_str());
}
