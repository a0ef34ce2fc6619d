#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>

// Small transformer encoder whose position table comes from a file.

void write_positions(const std::string& file, int64_t length, int64_t dim) {
  auto position = torch::arange(length, torch::kFloat).unsqueeze(1);
  auto rate = torch::exp(torch::arange(0, dim, 2, torch::kFloat) * (-std::log(1e4) / dim));
  auto table = torch::cat({torch::sin(position * rate), torch::cos(position * rate)}, 1);
  torch::save(table, file);
}

class PositionalEncoding : public torch::nn::Module {
 public:
  explicit PositionalEncoding(const std::string& file) {
    torch::load(table_, file);
    dropout_ = register_module("dropout", torch::nn::Dropout(0.1));
  }

  torch::Tensor forward(torch::Tensor x) {
    auto positions = table_.slice(0, 0, x.size(1)).unsqueeze(0);
    return dropout_->forward(x + positions);
  }

 private:
  torch::Tensor table_; // expect: unregistered-state
  torch::nn::Dropout dropout_{nullptr};
};

class TextEncoder : public torch::nn::Module {
 public:
  TextEncoder(int64_t vocabulary, int64_t dim, const std::string& positions) {
    embedding_ = register_module("embedding", torch::nn::Embedding(vocabulary, dim));
    positions_ = register_module("positions", std::make_shared<PositionalEncoding>(positions));
    attention_ = register_module(
        "attention", torch::nn::MultiheadAttention(torch::nn::MultiheadAttentionOptions(dim, 2)));
    output_ = register_module("output", torch::nn::Linear(dim, 2));
  }

  torch::Tensor forward(const torch::Tensor& tokens) {
    auto x = positions_->forward(embedding_->forward(tokens)).transpose(0, 1);
    auto attended = std::get<0>(attention_->forward(x, x, x));
    return output_->forward(attended.mean(0));
  }

 private:
  torch::nn::Embedding embedding_{nullptr};
  std::shared_ptr<PositionalEncoding> positions_;
  torch::nn::MultiheadAttention attention_{nullptr};
  torch::nn::Linear output_{nullptr};
};

int main() {
  torch::manual_seed(40);
  const std::string file = "/tmp/positions.pt";
  write_positions(file, 32, 8);

  TextEncoder encoder(50, 8, file);
  torch::Device device(torch::kCUDA);
  encoder.to(device);
  torch::optim::Adam optimizer(encoder.parameters(), torch::optim::AdamOptions(1e-3));

  for (int step = 0; step < 3; ++step) {
    auto tokens = torch::randint(0, 50, {4, 10}, torch::kLong).to(device);
    auto labels = tokens.select(1, 0).remainder(2);
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(encoder.forward(tokens), labels);
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << ", loss " << loss.item<float>() << "\n";
  }
  std::remove(file.c_str());
  return 0;
}
