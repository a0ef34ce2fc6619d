#include <torch/torch.h>

#include <iostream>
#include <tuple>
#include <vector>

// Sequence to sequence with GRUs: reverses short sequences of digits.
constexpr int64_t kVocab = 12;
constexpr int64_t kHidden = 16;
constexpr int64_t kStart = 10;

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() {
    embedding = register_module("embedding", torch::nn::Embedding(kVocab, kHidden));
    gru = register_module(
        "gru", torch::nn::GRU(torch::nn::GRUOptions(kHidden, kHidden).batch_first(true)));
  }
  torch::Tensor initial(int64_t batch) const { return torch::zeros({1, batch, kHidden}); }

  std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor& source) {
    auto embedded = embedding->forward(source);
    return gru->forward(embedded, initial(source.size(0))); // expect: hardcoded-device
  }
  torch::nn::Embedding embedding{nullptr};
  torch::nn::GRU gru{nullptr};
};
TORCH_MODULE(Encoder);

struct DecoderImpl : torch::nn::Module {
  DecoderImpl() {
    embedding = register_module("embedding", torch::nn::Embedding(kVocab, kHidden));
    cell = register_module("cell", torch::nn::GRUCell(kHidden, kHidden));
    out = register_module("out", torch::nn::Linear(kHidden, kVocab));
  }
  torch::Tensor step(const torch::Tensor& token, torch::Tensor& state) {
    state = cell->forward(torch::relu(embedding->forward(token)), state);
    return out->forward(state);
  }
  torch::nn::Embedding embedding{nullptr};
  torch::nn::GRUCell cell{nullptr};
  torch::nn::Linear out{nullptr};
};
TORCH_MODULE(Decoder);

torch::Tensor sequence_loss(Encoder& encoder, Decoder& decoder, const torch::Tensor& source,
                            const torch::Tensor& target, double forcing) {
  auto [memory, hidden] = encoder->forward(source);
  auto state = hidden.squeeze(0);
  auto token = torch::full({source.size(0)}, kStart, source.options());
  std::vector<torch::Tensor> losses;
  for (int64_t t = 0; t < target.size(1); ++t) {
    auto logits = decoder->step(token, state);
    losses.push_back(torch::nn::functional::cross_entropy(logits, target.select(1, t)));
    bool teacher = torch::rand({1}).item<double>() < forcing;
    token = teacher ? target.select(1, t) : logits.argmax(1).detach();
  }
  return torch::stack(losses).mean();
}

int main() {
  torch::manual_seed(12);
  auto device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  Encoder encoder;
  Decoder decoder;
  encoder->to(device);
  decoder->to(device);
  std::vector<torch::Tensor> params = encoder->parameters();
  for (auto& p : decoder->parameters()) params.push_back(p);
  torch::optim::Adam adam(params, 0.01);

  for (int iteration = 0; iteration < 4; ++iteration) {
    auto source = torch::randint(0, 10, {6, 5}, torch::kLong).to(device);
    auto target = source.flip(1);
    adam.zero_grad();
    auto loss = sequence_loss(encoder, decoder, source, target, 0.7);
    loss.backward();
    torch::nn::utils::clip_grad_norm_(params, 1.0);
    adam.step();
    std::cout << iteration << "\t" << loss.item<float>() << "\n";
  }
  return 0;
}
