#include <torch/torch.h>

#include <c10/core/DeviceGuard.h>

#include <chrono>
#include <future>
#include <iostream>
#include <vector>

// The evaluation runs in the background on the second GPU.

struct Scorer : torch::nn::Module {
  Scorer() : fc1(8, 16), fc2(16, 1) {
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::elu(fc1->forward(x));
    return fc2->forward(x);
  }
  torch::nn::Linear fc1, fc2;
};

double evaluate(Scorer& scorer, const std::vector<torch::Tensor>& batches) {
  torch::NoGradGuard no_grad;
  double sum = 0;
  for (const auto& batch : batches) {
    auto x = batch.to(torch::kCUDA);
    sum += scorer.forward(x).mean().item<double>(); // expect: device-mismatch
  }
  return sum / batches.size();
}

int main() {
  torch::manual_seed(33);
  std::vector<torch::Tensor> batches;
  for (int i = 0; i < 4; ++i) batches.push_back(torch::randn({5, 8}));

  c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));
  Scorer scorer;
  scorer.to(torch::kCUDA);
  scorer.eval();

  auto start = std::chrono::steady_clock::now();
  auto result = std::async(std::launch::async, [&] { return evaluate(scorer, batches); });
  std::cout << "waiting for the evaluation" << std::endl;
  const double mean = result.get();
  auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cout << "mean score " << mean << (seconds < 10 ? " (fast)" : " (slow)") << std::endl;
  return 0;
}
