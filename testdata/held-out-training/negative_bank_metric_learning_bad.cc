#include <torch/torch.h>

#include <iostream>

// Metric learning with a bank of negatives, which is too large for the first GPU.

struct EmbedderImpl : torch::nn::Module {
  EmbedderImpl(int64_t in, int64_t out) {
    net = register_module("net", torch::nn::Sequential(torch::nn::Linear(in, 32), torch::nn::ELU(),
                                                       torch::nn::Linear(32, out)));
  }
  torch::Tensor forward(torch::Tensor x) { return torch::nn::functional::normalize(net->forward(x)); }
  torch::nn::Sequential net{nullptr};
};
TORCH_MODULE(Embedder);

class NegativeBank {
 public:
  NegativeBank(int64_t capacity, int64_t dim, torch::Device device)
      : features_(torch::nn::functional::normalize(torch::randn({capacity, dim}, device))) {}

  void enqueue(const torch::Tensor& batch) {
    torch::NoGradGuard guard;
    const auto count = batch.size(0);
    features_.slice(0, next_, next_ + count).copy_(batch.detach());
    next_ = (next_ + count) % features_.size(0);
  }

  // The most similar entry of each anchor.
  torch::Tensor hardest(const torch::Tensor& anchors) const {
    torch::NoGradGuard guard;
    auto similarity = anchors.detach().to(features_.device()).mm(features_.t());
    return features_.index_select(0, similarity.argmax(1));
  }

 private:
  torch::Tensor features_;
  int64_t next_ = 0;
};

int main() {
  torch::manual_seed(14);
  const torch::Device train_device(torch::kCUDA, 0);
  const torch::Device bank_device(torch::kCUDA, 1);
  const int64_t dim = 8, batch_size = 8;

  Embedder embedder(12, dim);
  embedder->to(train_device);
  NegativeBank bank(64, dim, bank_device);
  torch::nn::TripletMarginLoss criterion(torch::nn::TripletMarginLossOptions().margin(0.3));
  torch::optim::Adam optimizer(embedder->parameters(), 1e-3);

  for (int step = 0; step < 8; ++step) {
    auto x = torch::randn({batch_size, 12}, train_device);
    auto anchors = embedder(x);
    auto positives = embedder(x + 0.1 * torch::randn_like(x));
    auto negatives = bank.hardest(anchors);
    auto loss = criterion(anchors, positives, negatives); // expect: device-mismatch
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    bank.enqueue(positives);
    std::cout << "step " << step << " loss " << loss.item<float>() << std::endl;
  }
}
