#include <torch/torch.h>

#include <iostream>

namespace nn = torch::nn;
namespace F = torch::nn::functional;

// Language model over two cards; the output projection shares its weights with the embedding.
class TiedLanguageModel : public nn::Module {
 public:
  TiedLanguageModel(int64_t vocab, int64_t dim) {
    embedding_ = register_module("embedding", nn::Embedding(vocab, dim));
    block1_ = register_module("block1", make_block(dim));
    block2_ = register_module("block2", make_block(dim));
    norm_ = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({dim})));
    out_bias_ = register_parameter("out_bias", torch::zeros({vocab}));
  }

  void distribute(torch::Device lower, torch::Device upper) {
    lower_ = lower;
    upper_ = upper;
    embedding_->to(lower);
    block1_->to(lower);
    block2_->to(upper);
    norm_->to(upper);
    out_bias_.set_data(out_bias_.to(upper));
  }

  torch::Tensor forward(const torch::Tensor& tokens) {
    auto h = embedding_(tokens.to(lower_));
    h = h + block1_->forward(h);
    h = h.to(upper_);
    h = h + block2_->forward(h);
    return F::linear(norm_(h), embedding_->weight, out_bias_); // expect: device-mismatch
  }

  torch::Device output_device() const { return upper_; }

 private:
  static nn::Sequential make_block(int64_t dim) {
    return nn::Sequential(nn::Linear(dim, 2 * dim), nn::GELU(), nn::Linear(2 * dim, dim));
  }

  nn::Embedding embedding_{nullptr};
  nn::Sequential block1_{nullptr}, block2_{nullptr};
  nn::LayerNorm norm_{nullptr};
  torch::Tensor out_bias_;
  torch::Device lower_ = torch::kCPU, upper_ = torch::kCPU;
};

int main() {
  torch::manual_seed(12);
  const int64_t vocab = 15;
  TiedLanguageModel model(vocab, 12);
  model.distribute(torch::Device("cuda:0"), torch::Device("cuda:1"));

  torch::optim::Adam optimizer(model.parameters(), 1e-3);
  const auto corpus = torch::arange(60).mul(7).remainder(vocab);

  for (int step = 0; step < 5; ++step) {
    auto window = corpus.slice(0, step * 10, step * 10 + 11);
    auto inputs = window.slice(0, 0, 10);
    auto targets = window.slice(0, 1).to(model.output_device());
    auto loss = F::cross_entropy(model.forward(inputs), targets);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }
  return 0;
}
