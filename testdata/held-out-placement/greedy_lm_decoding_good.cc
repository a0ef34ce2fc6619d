#include <torch/torch.h>

#include <iostream>
#include <numeric>
#include <string>
#include <vector>

// Greedy decoding with a tiny language model; vocabulary and word table live on the host.

struct HostTable {
  torch::Tensor rows;

  torch::Tensor lookup(const torch::Tensor& ids) const {
    auto vectors = rows.index_select(0, ids.to(rows.device()).flatten());
    return vectors.to(ids.device());
  }
};

struct TinyLmImpl : torch::nn::Module {
  TinyLmImpl(int64_t width, int64_t vocabulary) {
    mix = register_module("mix", torch::nn::Linear(2 * width, width));
    project = register_module("project", torch::nn::Linear(width, vocabulary));
  }

  torch::Tensor forward(const torch::Tensor& token, torch::Tensor& state) {
    state = torch::tanh(mix(torch::cat({token, state}, 1)));
    return project(state);
  }

  torch::nn::Linear mix{nullptr}, project{nullptr};
};
TORCH_MODULE(TinyLm);

int main() {
  torch::manual_seed(33);
  torch::NoGradGuard no_grad;
  const std::vector<std::string> words = {"<s>", "a", "small", "red", "cat", "sleeps", "."};
  const int64_t width = 6;
  const torch::Device device(torch::kCUDA, 0);

  HostTable table{torch::randn({static_cast<int64_t>(words.size()), width})};
  TinyLm lm(width, words.size());
  lm->to(device);
  lm->eval();

  // Log-prior of the words, used to keep the sentences from going in circles.
  auto penalty = torch::zeros({static_cast<int64_t>(words.size())});

  auto state = torch::zeros({1, width}, device);
  auto token = torch::zeros({1}, torch::TensorOptions(torch::kLong).device(device));
  std::string sentence;
  std::vector<double> confidences;
  for (int i = 0; i < 6; ++i) {
    auto logits = lm->forward(table.lookup(token), state).squeeze(0);
    auto adjusted = torch::log_softmax(logits, 0).cpu() - penalty;
    auto best = adjusted.argmax().item<int64_t>();
    penalty[best] += 1.5;
    sentence += words[static_cast<size_t>(best)] + " ";
    confidences.push_back(torch::softmax(logits, 0)[best].item<double>());
    token = torch::tensor({best}, torch::TensorOptions(torch::kLong).device(device));
  }
  std::cout << sentence << "\nmean confidence "
            << std::accumulate(confidences.begin(), confidences.end(), 0.0) / confidences.size()
            << std::endl;
}
