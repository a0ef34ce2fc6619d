#include <torch/torch.h>

#include <iostream>
#include <optional>
#include <utility>

// Encoder/decoder that learns to reverse short sequences of digits.

constexpr int64_t kSymbols = 10;
constexpr int64_t kStart = 10;
constexpr int64_t kHidden = 16;

class Encoder : public torch::nn::Module {
 public:
  Encoder() {
    embedding = register_module("embedding", torch::nn::Embedding(kSymbols + 1, kHidden));
    rnn = register_module("rnn", torch::nn::GRU(kHidden, kHidden));
  }

  std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor tokens, torch::Tensor hidden) {
    return rnn->forward(embedding->forward(tokens), hidden);
  }

  torch::Tensor init_hidden(int64_t batch_size) const {
    return torch::zeros({1, batch_size, kHidden});
  }

 private:
  torch::nn::Embedding embedding{nullptr};
  torch::nn::GRU rnn{nullptr};
};

class Decoder : public torch::nn::Module {
 public:
  Decoder() {
    embedding = register_module("embedding", torch::nn::Embedding(kSymbols + 1, kHidden));
    rnn = register_module("rnn", torch::nn::GRU(kHidden, kHidden));
    out = register_module("out", torch::nn::Linear(kHidden, kSymbols));
  }

  std::pair<torch::Tensor, torch::Tensor> forward(torch::Tensor token, torch::Tensor hidden) {
    auto [output, next] = rnn->forward(embedding->forward(token).unsqueeze(0), hidden);
    return {out->forward(output.squeeze(0)), next};
  }

 private:
  torch::nn::Embedding embedding{nullptr};
  torch::nn::GRU rnn{nullptr};
  torch::nn::Linear out{nullptr};
};

double train_batch(Encoder& encoder, Decoder& decoder, torch::optim::Optimizer& optimizer,
                   torch::Tensor source, torch::Device device) {
  optimizer.zero_grad();
  const auto length = source.size(0), batch = source.size(1);
  auto target = source.flip(0);

  auto hidden = encoder.init_hidden(batch);
  std::tie(std::ignore, hidden) = encoder.forward(source, hidden); // expect: device-mismatch

  auto token = torch::full({batch}, kStart, torch::TensorOptions(torch::kLong).device(device));
  auto loss = torch::zeros({}, device);
  for (int64_t t = 0; t < length; ++t) {
    auto [logits, next] = decoder.forward(token, hidden);
    loss = loss + torch::nn::functional::cross_entropy(logits, target[t]);
    token = target[t];
    hidden = next;
  }
  loss.backward();
  optimizer.step();
  return loss.item<double>() / length;
}

int main() {
  torch::manual_seed(4);
  torch::Device device = torch::cuda::is_available() ? torch::Device("cuda:0") : torch::Device("cpu");
  Encoder encoder;
  Decoder decoder;
  encoder.to(device);
  decoder.to(device);

  std::vector<torch::Tensor> parameters = encoder.parameters();
  for (auto& p : decoder.parameters()) parameters.push_back(p);
  torch::optim::Adam optimizer(parameters, 0.01);

  for (int i = 0; i < 6; ++i) {
    auto source = torch::randint(kSymbols, {5, 4}, torch::TensorOptions(torch::kLong).device(device));
    std::cout << "iteration " << i << ": " << train_batch(encoder, decoder, optimizer, source, device)
              << "\n";
  }
}
