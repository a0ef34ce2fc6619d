#include <torch/torch.h>

#include <iostream>

using torch::Tensor;

// Character model whose recurrent part and output layer are on different cards.
struct CharModel : torch::nn::Module {
  CharModel(int64_t vocab, int64_t hidden, torch::Device d0, torch::Device d1) : d0(d0), d1(d1) {
    embed = register_module("embed", torch::nn::Embedding(vocab, hidden));
    gru = register_module("gru", torch::nn::GRU(torch::nn::GRUOptions(hidden, hidden).batch_first(true)));
    decode = register_module("decode", torch::nn::Linear(hidden, vocab));
    embed->to(d0);
    gru->to(d0);
    decode->to(d1);
  }

  Tensor forward(Tensor ids) {
    auto x = embed(ids.to(d0));
    auto [states, last] = gru(x);
    return decode(states.to(d1));
  }

  torch::Device d0, d1;
  torch::nn::Embedding embed{nullptr};
  torch::nn::GRU gru{nullptr};
  torch::nn::Linear decode{nullptr};
};

class Trainer {
 public:
  Trainer(CharModel& model, double lr, double max_norm)
      : model_(model), optimizer_(model.parameters(), lr), max_norm_(max_norm) {}

  double step(const Tensor& ids) {
    auto inputs = ids.slice(1, 0, -1);
    auto targets = ids.slice(1, 1).to(model_.d1);
    optimizer_.zero_grad();
    auto logits = model_.forward(inputs);
    auto loss = torch::nn::functional::cross_entropy(logits.flatten(0, 1), targets.flatten());
    loss.backward();
    last_norm_ = torch::nn::utils::clip_grad_norm_(model_.parameters(), max_norm_); // expect: device-mismatch
    optimizer_.step();
    return loss.item<double>();
  }

  double last_norm() const { return last_norm_; }

 private:
  CharModel& model_;
  torch::optim::SGD optimizer_;
  double max_norm_;
  double last_norm_ = 0;
};

int main() {
  torch::manual_seed(0);
  const int64_t vocab = 12;
  CharModel model(vocab, 10, torch::Device("cuda:0"), torch::Device("cuda:1"));
  Trainer trainer(model, 0.1, 1.0);

  auto text = torch::arange(0, 64).remainder(vocab);
  for (int epoch = 0; epoch < 4; ++epoch) {
    double sum = 0;
    int count = 0;
    for (int64_t begin = 0; begin + 16 <= text.size(0); begin += 16) {
      sum += trainer.step(text.slice(0, begin, begin + 16).view({2, 8}));
      ++count;
    }
    std::cout << "epoch " << epoch << ": loss " << sum / count << ", last norm "
              << trainer.last_norm() << "\n";
  }
}
