#include <torch/torch.h>

#include <cmath>
#include <iostream>

// Sinusoidal positions, as in "Attention is all you need".
class PositionalEncodingImpl : public torch::nn::Module {
 public:
  PositionalEncodingImpl(int64_t width, double dropout, int64_t longest = 64)
      : dropout_(register_module("dropout", torch::nn::Dropout(dropout))) {
    auto position = torch::arange(longest, torch::kFloat).unsqueeze(1);
    auto rate = torch::exp(torch::arange(0, width, 2, torch::kFloat) * (-std::log(10000.0) / width));
    pe_ = torch::zeros({longest, width});
    pe_.slice(1, 0, width, 2).copy_(torch::sin(position * rate));
    pe_.slice(1, 1, width, 2).copy_(torch::cos(position * rate));
    pe_ = pe_.unsqueeze(0);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto y = x + pe_.slice(1, 0, x.size(1));
    return dropout_(y);
  }

 private:
  torch::nn::Dropout dropout_;
  torch::Tensor pe_; // expect: unregistered-state
};
TORCH_MODULE(PositionalEncoding);

struct SequenceModelImpl : torch::nn::Module {
  SequenceModelImpl(int64_t vocabulary, int64_t width)
      : embed(register_module("embed", torch::nn::Embedding(vocabulary, width))),
        positions(register_module("positions", PositionalEncoding(width, 0.1))),
        mixer(register_module("mixer", torch::nn::Linear(width, width))),
        out(register_module("out", torch::nn::Linear(width, vocabulary))) {}

  torch::Tensor forward(const torch::Tensor& tokens) {
    auto x = positions(embed(tokens) * std::sqrt(static_cast<double>(embed->options.embedding_dim())));
    auto context = x.cumsum(1) / torch::arange(1, x.size(1) + 1, x.options()).view({1, -1, 1});
    return out(torch::relu(mixer(context)));
  }

  torch::nn::Embedding embed;
  PositionalEncoding positions;
  torch::nn::Linear mixer, out;
};
TORCH_MODULE(SequenceModel);

int main() {
  torch::manual_seed(61);
  const torch::Device device("cuda:0");
  SequenceModel model(30, 16);
  model->to(device);
  torch::optim::Adam optimizer(model->parameters(), 1e-2);
  for (int step = 0; step < 6; ++step) {
    auto tokens = torch::randint(30, {4, 9}, torch::TensorOptions(torch::kLong).device(device));
    auto logits = model->forward(tokens.slice(1, 0, 8));
    auto loss = torch::nn::functional::cross_entropy(logits.flatten(0, 1), tokens.slice(1, 1).flatten());
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << '\n';
  }
}
