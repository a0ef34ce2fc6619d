#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

// k-nearest-neighbour evaluation of features, with cross-validation; each fold has its own GPU.

struct Fold {
  std::vector<int64_t> train, test;
};

std::vector<Fold> make_folds(int64_t n, int k) {
  std::vector<Fold> folds(k);
  for (int64_t i = 0; i < n; ++i) {
    for (int f = 0; f < k; ++f) (i % k == f ? folds[f].test : folds[f].train).push_back(i);
  }
  return folds;
}

class KnnClassifier {
 public:
  KnnClassifier(torch::Tensor features, torch::Tensor labels, int64_t k)
      : features_(std::move(features)), labels_(std::move(labels)), k_(k) {}

  torch::Tensor predict(const torch::Tensor& query) const {
    auto distance = torch::cdist(query.to(features_.device()), features_);
    auto neighbours = std::get<1>(distance.topk(k_, 1, /*largest=*/false));
    auto votes = labels_.index_select(0, neighbours.flatten()).view_as(neighbours);
    return std::get<0>(votes.mode(1));
  }

 private:
  torch::Tensor features_, labels_;
  int64_t k_;
};

int main() {
  torch::manual_seed(100);
  const std::string file = "/tmp/knn_features.pt";
  {
    torch::nn::Sequential encoder(torch::nn::Linear(5, 8), torch::nn::Sigmoid());
    encoder->to(torch::Device("cuda:0"));
    torch::NoGradGuard no_grad;
    auto raw = torch::randn({30, 5});
    auto features = encoder->forward(raw.cuda());
    auto labels = (raw.select(1, 0) > 0).to(torch::kLong).cuda();
    torch::save({features, labels}, file);
  }

  std::vector<torch::Tensor> stored;
  torch::load(stored, file, torch::Device(torch::kCPU));
  const auto& features = stored[0];
  const auto& labels = stored[1];

  const auto folds = make_folds(features.size(0), 3);
  std::vector<double> scores;
  for (size_t f = 0; f < folds.size(); ++f) {
    torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(f % torch::cuda::device_count()));
    auto train = torch::tensor(folds[f].train);
    auto test = torch::tensor(folds[f].test);
    KnnClassifier knn(features.index_select(0, train).to(device),
                      labels.index_select(0, train).to(device), 3);
    auto predicted = knn.predict(features.index_select(0, test));
    auto truth = labels.index_select(0, test).to(device);
    scores.push_back(predicted.eq(truth).to(torch::kFloat).mean().item<double>());
    std::cout << "fold " << f << " on " << device << ": " << scores.back() << "\n";
  }
  std::cout << "mean " << std::accumulate(scores.begin(), scores.end(), 0.0) / scores.size() << "\n";
  std::remove(file.c_str());
}
