#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <memory>

// A small transformer encoder: list of layers, learned and fixed positions, padding mask.

struct LayerImpl : torch::nn::Module {
  explicit LayerImpl(int64_t width)
      : q(register_module("q", torch::nn::Linear(width, width))),
        k(register_module("k", torch::nn::Linear(width, width))),
        v(register_module("v", torch::nn::Linear(width, width))),
        norm(register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})))) {}

  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& padding) {
    auto scores = torch::matmul(q(x), k(x).transpose(1, 2)) / std::sqrt(static_cast<double>(x.size(-1)));
    scores = scores.masked_fill(padding.unsqueeze(1), -1e9);
    return norm(x + torch::matmul(torch::softmax(scores, -1), v(x)));
  }

  torch::nn::Linear q, k, v;
  torch::nn::LayerNorm norm;
};
TORCH_MODULE(Layer);

class EncoderImpl : public torch::nn::Module {
 public:
  EncoderImpl(int64_t vocabulary, int64_t width, int64_t longest, int depth) {
    embed_ = register_module("embed", torch::nn::Embedding(vocabulary, width));
    learned_ = register_parameter("learned", torch::zeros({longest, width}));
    auto angle = torch::arange(longest, torch::kFloat).unsqueeze(1) *
                 torch::pow(100.0, -torch::arange(width, torch::kFloat) / width);
    fixed_ = register_buffer("fixed", torch::sin(angle));
    layers_ = register_module("layers", torch::nn::ModuleList());
    for (int i = 0; i < depth; ++i) layers_->push_back(Layer(width));
    out_ = register_module("out", torch::nn::Linear(width, 1));
  }

  torch::Tensor forward(const torch::Tensor& tokens) {
    const auto length = tokens.size(1);
    auto padding = tokens.eq(0);
    auto x = embed_(tokens) + learned_.narrow(0, 0, length) + fixed_.narrow(0, 0, length);
    for (const auto& layer : *layers_) x = layer->as<LayerImpl>()->forward(x, padding);
    auto weight = padding.logical_not().to(x.dtype()).unsqueeze(-1);
    return out_((x * weight).sum(1) / weight.sum(1)).squeeze(1);
  }

 private:
  torch::nn::Embedding embed_{nullptr};
  torch::Tensor learned_, fixed_;
  torch::nn::ModuleList layers_{nullptr};
  torch::nn::Linear out_{nullptr};
};
TORCH_MODULE(Encoder);

int main() {
  torch::manual_seed(73);
  const torch::Device device(torch::kCUDA, 1);
  Encoder encoder(20, 8, 16, 2);
  encoder->to(device);
  torch::optim::Adam optimizer(encoder->parameters(), 1e-2);
  for (int step = 0; step < 5; ++step) {
    auto tokens = torch::randint(1, 20, {6, 10}, torch::kLong);
    tokens.narrow(1, 7, 3).zero_();
    auto target = tokens.narrow(1, 0, 7).to(torch::kFloat).mean(1).div(20).to(device);
    auto loss = torch::mse_loss(encoder->forward(tokens.to(device)), target);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << ": " << loss.item<float>() << "\n";
  }
  return 0;
}
