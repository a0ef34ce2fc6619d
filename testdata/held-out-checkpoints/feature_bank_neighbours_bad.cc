#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <tuple>

// Nearest neighbours over a bank of saved features.

struct Embedder : torch::nn::Module {
  Embedder() : body(torch::nn::Linear(10, 20), torch::nn::ReLU(), torch::nn::Linear(20, 8)) {
    register_module("body", body);
  }
  torch::Tensor forward(torch::Tensor x) {
    return torch::nn::functional::normalize(body->forward(x));
  }
  torch::nn::Sequential body;
};

class FeatureBank {
 public:
  static void build(Embedder& embedder, const torch::Tensor& images, torch::Device device,
                    const std::string& file) {
    torch::NoGradGuard no_grad;
    embedder.to(device);
    torch::save(embedder.forward(images.to(device)), file);
  }

  explicit FeatureBank(const std::string& file) { torch::load(features_, file); } // expect: missing-map-location

  std::tuple<torch::Tensor, torch::Tensor> nearest(const torch::Tensor& query, int64_t k) const {
    auto similarity = torch::mm(query, features_.t());
    return similarity.topk(k, /*dim=*/1);
  }

  int64_t size() const { return features_.size(0); }

 private:
  torch::Tensor features_;
};

int main() {
  torch::manual_seed(19);
  const std::string file = "/tmp/feature_bank.pt";
  auto embedder = std::make_shared<Embedder>();
  auto gallery = torch::randn({25, 10});

  // The bank is built on the second card while the first one is busy.
  FeatureBank::build(*embedder, gallery, torch::Device("cuda:1"), file);

  torch::Device device("cuda:0");
  embedder->to(device);
  embedder->eval();
  FeatureBank bank(file);
  std::cout << "bank of " << bank.size() << " features\n";

  torch::NoGradGuard no_grad;
  for (int i = 0; i < 2; ++i) {
    auto query = embedder->forward(gallery.narrow(0, i * 3, 3).to(device));
    auto [scores, indices] = bank.nearest(query, 2);
    std::cout << indices.cpu() << "\n";
  }
  std::remove(file.c_str());
}
