#include <torch/torch.h>

#include <iostream>
#include <string>

// Character-level language model with an LSTM cell.

struct CharModel : torch::nn::Module {
  CharModel(int64_t symbols, int64_t hidden_size)
      : hidden_size(hidden_size),
        embed(torch::nn::EmbeddingOptions(symbols, 8)),
        cell(torch::nn::LSTMCellOptions(8, hidden_size)),
        out(torch::nn::LinearOptions(hidden_size, symbols)) {
    register_module("embed", embed);
    register_module("cell", cell);
    register_module("out", out);
  }

  torch::Tensor forward(const torch::Tensor& ids) {
    const auto batch = ids.size(0);
    auto h = torch::zeros({batch, hidden_size});
    auto c = torch::zeros({batch, hidden_size});
    std::vector<torch::Tensor> logits;
    auto vectors = embed->forward(ids);
    for (int64_t t = 0; t < ids.size(1); ++t) {
      std::tie(h, c) = cell->forward(vectors.select(1, t), std::make_tuple(h, c)); // expect: hardcoded-device
      logits.push_back(out->forward(h));
    }
    return torch::stack(logits, 1);
  }

  int64_t hidden_size;
  torch::nn::Embedding embed;
  torch::nn::LSTMCell cell;
  torch::nn::Linear out;
};

torch::Tensor encode(const std::string& text) {
  std::vector<int64_t> ids;
  for (char c : text) ids.push_back(c == ' ' ? 26 : c - 'a');
  return torch::tensor(ids, torch::kLong);
}

int main() {
  torch::manual_seed(26);
  const std::string text = "the quick brown fox jumps over the lazy dog ";
  torch::Device device(torch::kCUDA, 0);

  CharModel model(27, 16);
  model.to(device);
  torch::optim::Adam optimizer(model.parameters(), torch::optim::AdamOptions(0.01));

  const int64_t length = 11;
  auto ids = encode(text).view({4, length}).to(device);
  auto input = ids.slice(1, 0, length - 1);
  auto target = ids.slice(1, 1, length);

  for (int epoch = 0; epoch < 3; ++epoch) {
    optimizer.zero_grad();
    auto logits = model.forward(input);
    auto loss = torch::nn::functional::cross_entropy(logits.reshape({-1, 27}), target.reshape(-1));
    loss.backward();
    torch::nn::utils::clip_grad_norm_(model.parameters(), 1.0);
    optimizer.step();
    std::cout << "epoch " << epoch << ", loss " << loss.item<float>() << std::endl;
  }
  return 0;
}
