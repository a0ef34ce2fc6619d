#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// k-nearest-neighbour evaluation over a feature bank on disk.

struct Encoder : torch::nn::Module {
  Encoder() {
    net = register_module("net", torch::nn::Sequential(torch::nn::Linear(10, 32), torch::nn::ReLU(), torch::nn::Linear(32, 8)));
  }
  torch::Tensor forward(torch::Tensor x) {
    return torch::nn::functional::normalize(net->forward(x), torch::nn::functional::NormalizeFuncOptions().dim(1));
  }
  torch::nn::Sequential net{nullptr};
};

void build_bank(Encoder& encoder, torch::Device device, const std::string& path) {
  torch::NoGradGuard guard;
  std::vector<torch::Tensor> features, labels;
  for (int i = 0; i < 4; ++i) {
    features.push_back(encoder.forward(torch::randn({16, 10}, device)));
    labels.push_back(torch::randint(0, 3, {16}, torch::kLong).to(device));
  }
  torch::save(std::vector<torch::Tensor>{torch::cat(features), torch::cat(labels)}, path);
}

class KnnClassifier {
 public:
  KnnClassifier(const std::string& path, int k) : k_(k) {
    std::vector<torch::Tensor> bank;
    torch::load(bank, path, torch::kCPU);
    features_ = bank.at(0);
    labels_ = bank.at(1);
  }

  torch::Tensor predict(const torch::Tensor& queries) const {
    auto similarity = torch::matmul(queries, features_.t()); // expect: device-mismatch
    auto nearest = std::get<1>(similarity.topk(k_, 1));
    auto votes = labels_.index({nearest});
    return std::get<0>(votes.mode(1));
  }

 private:
  int k_;
  torch::Tensor features_, labels_;
};

int main() {
  torch::manual_seed(11);
  torch::Device device = torch::cuda::is_available() ? torch::Device(torch::kCUDA) : torch::Device(torch::kCPU);
  const std::string path = "/tmp/cc6_feature_bank.pt";

  Encoder encoder;
  encoder.to(device);
  encoder.eval();
  build_bank(encoder, device, path);

  KnnClassifier knn(path, 5);
  torch::NoGradGuard guard;
  auto queries = encoder.forward(torch::randn({6, 10}).to(device));
  auto predicted = knn.predict(queries);
  std::cout << "predicted " << predicted.cpu() << "\n";
  return 0;
}
