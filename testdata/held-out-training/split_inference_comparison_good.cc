#include <torch/torch.h>

#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Compares single-GPU with hand-made two-GPU inference. Inputs are prepared once, outside of the
// timing loops.
struct BlockImpl : torch::nn::Cloneable<BlockImpl> {
  explicit BlockImpl(int64_t n) : n(n) { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(n, n)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(fc(x)) + x; }
  int64_t n;
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Block);

struct Prepared {
  std::map<int, torch::Tensor> whole;   // the batch, on each device
  std::map<int, torch::Tensor> halves;  // its half, on each device
};

Prepared prepare(const torch::Tensor& batch, int gpus) {
  Prepared p;
  auto chunks = batch.chunk(gpus);
  for (int g = 0; g < gpus; ++g) {
    torch::Device device(torch::kCUDA, g);
    p.whole[g] = batch.to(device);
    p.halves[g] = chunks[g].to(device);
  }
  return p;
}

double time_ms(int rounds, const std::function<void()>& body) {
  body();
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) body();
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count() / rounds;
}

void synchronize_all(int gpus) {
  for (int g = 0; g < gpus; ++g) torch::cuda::synchronize(g);
}

int main() {
  torch::NoGradGuard no_grad;
  torch::manual_seed(2);
  const int gpus = 2, rounds = 4;
  Block original(16);
  std::vector<Block> replicas;
  for (int g = 0; g < gpus; ++g) {
    torch::Device device(torch::kCUDA, g);
    replicas.emplace_back(std::dynamic_pointer_cast<BlockImpl>(original->clone(device)));
  }

  std::vector<std::pair<std::string, double>> lines;
  torch::Tensor together;
  for (int64_t size : {2, 8, 14}) {
    auto batch = torch::randn({size, 16});
    const Prepared inputs = prepare(batch, gpus);

    for (int g = 0; g < gpus; ++g) {
      double ms = time_ms(rounds, [&] {
        auto out = replicas[g]->forward(inputs.whole.at(g));
        torch::cuda::synchronize(g);
      });
      lines.emplace_back(std::to_string(size) + " on cuda:" + std::to_string(g), ms);
    }

    double ms = time_ms(rounds, [&] {
      std::vector<torch::Tensor> outputs;
      for (int g = 0; g < gpus; ++g) outputs.push_back(replicas[g]->forward(inputs.halves.at(g)));
      for (int g = 1; g < gpus; ++g) outputs[g] = outputs[g].to(outputs[0].device());
      together = torch::cat(outputs);
      synchronize_all(gpus);
    });
    lines.emplace_back(std::to_string(size) + " on both", ms);

    auto expected = original->forward(batch);
    if (!torch::allclose(together.cpu(), expected, 1e-4, 1e-5)) {
      std::cerr << "results differ for " << size << "\n";
      return 1;
    }
  }
  for (const auto& [name, ms] : lines) std::cout << name << ": " << ms << " ms\n";
}
