#include <torch/torch.h>

#include <cmath>
#include <iostream>
#include <sstream>
#include <string>

// Transformer-like classifier whose positional table comes from a file of its own.

torch::Tensor sinusoid_table(int64_t length, int64_t dim) {
  auto position = torch::arange(length, torch::kFloat).unsqueeze(1);
  auto frequency = torch::exp(torch::arange(0, dim, 2, torch::kFloat) * (-std::log(10000.0) / dim));
  auto table = torch::zeros({length, dim});
  table.slice(1, 0, dim, 2).copy_(torch::sin(position * frequency));
  table.slice(1, 1, dim, 2).copy_(torch::cos(position * frequency));
  return table;
}

class SequenceClassifierImpl : public torch::nn::Module {
 public:
  SequenceClassifierImpl(std::istream& table_file, int64_t vocab, int64_t dim, int64_t classes) {
    torch::Tensor table;
    torch::load(table, table_file);
    positions_ = register_buffer("positions", table);
    embedding_ = register_module("embedding", torch::nn::Embedding(vocab, dim));
    attention_ = register_module("attention", torch::nn::MultiheadAttention(torch::nn::MultiheadAttentionOptions(dim, 2)));
    norm_ = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({dim})));
    out_ = register_module("out", torch::nn::Linear(dim, classes));
  }

  torch::Tensor forward(torch::Tensor tokens) {
    auto x = embedding_(tokens) + positions_.narrow(0, 0, tokens.size(1)).unsqueeze(0);
    x = x.transpose(0, 1);
    auto attended = std::get<0>(attention_(x, x, x));
    x = norm_(x + attended);
    return out_(x.mean(0));
  }

 private:
  torch::Tensor positions_;
  torch::nn::Embedding embedding_{nullptr};
  torch::nn::MultiheadAttention attention_{nullptr};
  torch::nn::LayerNorm norm_{nullptr};
  torch::nn::Linear out_{nullptr};
};
TORCH_MODULE(SequenceClassifier);

int main() {
  torch::manual_seed(47);
  std::stringstream table_file;
  torch::save(sinusoid_table(12, 8), table_file);

  SequenceClassifier net(table_file, 30, 8, 3);
  const torch::Device device(torch::kCUDA, 1);
  net->to(device);
  std::cout << net->named_buffers()["positions"].device() << "\n";

  torch::optim::Adam adam(net->parameters(), 1e-2);
  for (int step = 0; step < 3; ++step) {
    auto tokens = torch::randint(0, 30, {4, 7}, torch::kLong).to(device);
    auto labels = torch::randint(0, 3, {4}, torch::kLong).to(device);
    adam.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net(tokens), labels);
    loss.backward();
    adam.step();
    std::cout << "step " << step << " " << loss.item<float>() << "\n";
  }
}
