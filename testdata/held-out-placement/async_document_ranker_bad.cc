#include <torch/torch.h>

#include <future>
#include <iostream>
#include <numeric>
#include <vector>

// Scores a list of documents with one task a GPU.

class Ranker : public torch::nn::Module {
 public:
  Ranker(int64_t features, int64_t hidden)
      : in(register_module("in", torch::nn::Linear(features, hidden))),
        out(register_module("out", torch::nn::Linear(hidden, 1))) {}

  torch::Tensor forward(const torch::Tensor& docs) {
    auto h = torch::relu(in->forward(docs));
    return out->forward(h).squeeze(1);
  }

  torch::nn::Linear in, out;
};

struct Job {
  int gpu;
  torch::Tensor docs;
};

std::vector<float> score(Ranker& ranker, const Job& job) {
  torch::NoGradGuard no_grad;
  torch::Device device(torch::kCUDA, job.gpu);
  auto docs = job.docs.to(device);
  auto scores = ranker.forward(docs).to(torch::kCPU); // expect: device-mismatch
  return {scores.data_ptr<float>(), scores.data_ptr<float>() + scores.numel()};
}

int main() {
  torch::manual_seed(2);
  Ranker ranker(12, 24);
  ranker.to(torch::Device(torch::kCUDA, 0));
  ranker.eval();

  const int gpus = static_cast<int>(torch::cuda::device_count());
  auto all = torch::randn({gpus * 10, 12});
  auto pieces = all.chunk(gpus, 0);

  std::vector<std::future<std::vector<float>>> futures;
  for (int i = 0; i < gpus; ++i) {
    Job job{i, pieces[i]};
    futures.push_back(std::async(std::launch::async, [&ranker, job] { return score(ranker, job); }));
  }

  std::vector<float> scores;
  for (auto& future : futures) {
    auto part = future.get();
    scores.insert(scores.end(), part.begin(), part.end());
  }
  float mean = std::accumulate(scores.begin(), scores.end(), 0.0f) / scores.size();
  std::cout << scores.size() << " documents, mean score " << mean << std::endl;
}
