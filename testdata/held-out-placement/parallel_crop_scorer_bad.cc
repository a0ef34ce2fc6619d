#include <torch/torch.h>

#include <future>
#include <iostream>
#include <vector>

// Augments and scores several crops of an image at the same time, all on one GPU.

struct ScorerImpl : torch::nn::Module {
  ScorerImpl() {
    conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 3, 3)));
    fc = register_module("fc", torch::nn::Linear(3, 1));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    auto maps = torch::relu(conv(x));
    return fc(maps.mean({2, 3}));
  }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Scorer);

class CropScorer {
 public:
  explicit CropScorer(Scorer scorer) : scorer_(std::move(scorer)) {}

  float score(const torch::Tensor& image, int64_t top, int64_t left) {
    torch::NoGradGuard no_grad;
    auto crop = image.narrow(2, top, 8).narrow(3, left, 8).to(torch::kCUDA);
    auto mirrored = crop.flip({3});
    auto scores = scorer_->forward(torch::cat({crop, mirrored})); // expect: device-mismatch
    return scores.mean().item<float>();
  }

  std::vector<float> score_all(const torch::Tensor& image) {
    std::vector<std::future<float>> jobs;
    for (int64_t top : {0, 4, 8}) {
      jobs.push_back(std::async(std::launch::async, &CropScorer::score, this, image, top, top));
    }
    std::vector<float> scores;
    for (auto& job : jobs) scores.push_back(job.get());
    return scores;
  }

 private:
  Scorer scorer_;
};

int main() {
  torch::manual_seed(29);
  // Another job has the first GPU: everything here goes to the second.
  c10::DeviceGuard guard(torch::Device(torch::kCUDA, 1));

  Scorer scorer;
  scorer->to(torch::kCUDA);
  scorer->eval();
  CropScorer crops(scorer);

  for (int i = 0; i < 3; ++i) {
    auto image = torch::rand({1, 1, 16, 16});
    for (float score : crops.score_all(image)) std::cout << score << ' ';
    std::cout << std::endl;
  }
}
