#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <vector>

// Model parallel: the embedding on the first visible GPU, the rest on the next.
struct SplitTagger : torch::nn::Module {
  SplitTagger(int64_t vocabulary, int64_t width, int64_t tags, torch::Device a, torch::Device b)
      : front(a), back(b) {
    embedding = register_module("embedding", torch::nn::Embedding(vocabulary, width));
    hidden = register_module("hidden", torch::nn::Linear(width, width));
    out = register_module("out", torch::nn::Linear(width, tags));
    embedding->to(front);
    hidden->to(back);
    out->to(back);
  }

  torch::Tensor forward(const torch::Tensor& tokens) {
    auto x = embedding(tokens.to(front)).to(back);
    return out(torch::relu(hidden(x)));
  }

  torch::Device front, back;
  torch::nn::Embedding embedding{nullptr};
  torch::nn::Linear hidden{nullptr}, out{nullptr};
};

int main() {
  // The second card has the faster link, so it comes first. What the scheduler has set stays.
  setenv("CUDA_VISIBLE_DEVICES", "1,0", 0);
  setenv("CUDA_VISIBLE_DEVICES", "0", 0);

  torch::manual_seed(14);
  const auto gpus = torch::cuda::device_count();
  const torch::Device front(torch::kCUDA, 0);
  const torch::Device back(torch::kCUDA, static_cast<torch::DeviceIndex>(gpus > 1 ? 1 : 0));
  std::cout << front << " and " << back << "\n";

  SplitTagger tagger(50, 8, 5, front, back);
  torch::optim::SGD optimizer(tagger.parameters(), 0.1);
  for (int step = 0; step < 6; ++step) {
    auto tokens = torch::randint(50, {4, 7}, torch::kLong);
    auto tags = tokens.remainder(5).flatten();
    auto scores = tagger.forward(tokens).flatten(0, 1);
    auto loss = torch::nn::functional::cross_entropy(scores, tags.to(back));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << std::endl;
  }

  // Then one model more on each of the visible GPUs, for the probes.
  std::vector<float> norms;
  for (size_t i = 0; i < gpus; ++i) {
    torch::nn::Linear probe(8, 2);
    probe->to(torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(i)));
    auto features = tagger.embedding->weight.detach().to(probe->weight.device());
    norms.push_back(probe(features).norm().item<float>());
  }
  for (auto norm : norms) std::cout << norm << ' ';
  std::cout << std::endl;
}
