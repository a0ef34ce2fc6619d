// A recurrent model with its state on the model's device, trained on a sequence and then sampled.
#include <torch/torch.h>

#include <tuple>

struct GeneratorImpl : torch::nn::Module {
  GeneratorImpl(int64_t words, int64_t size)
      : embedding(register_module("embedding", torch::nn::Embedding(words, size))),
        lstm(register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(size, size).batch_first(true)))),
        head(register_module("head", torch::nn::Linear(size, words))),
        hidden_size(size) {}

  using State = std::tuple<torch::Tensor, torch::Tensor>;

  State initial_state(int64_t batch) {
    auto options = embedding->weight.options();
    return {torch::zeros({1, batch, hidden_size}, options), torch::zeros({1, batch, hidden_size}, options)};
  }
  std::tuple<torch::Tensor, State> forward(torch::Tensor words, State state) {
    auto [output, next] = lstm->forward(embedding(words), state);
    return {head(output), next};
  }
  torch::nn::Embedding embedding;
  torch::nn::LSTM lstm;
  torch::nn::Linear head;
  int64_t hidden_size;
};
TORCH_MODULE(Generator);

int main() {
  const torch::Device device = torch::cuda::is_available() ? torch::Device("cuda:0") : torch::Device("cpu");
  Generator model(50, 16);
  model->to(device);
  torch::optim::Adam optimizer(model->parameters(), 1e-3);
  auto text = torch::randint(50, {4, 33}, torch::kLong);
  for (int step = 0; step < 20; ++step) {
    auto input = text.slice(1, 0, 32).to(device);
    auto target = text.slice(1, 1, 33).to(device);
    auto [logits, state] = model->forward(input, model->initial_state(4));
    auto loss = torch::nn::functional::cross_entropy(logits.reshape({-1, 50}), target.reshape({-1}));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  torch::NoGradGuard no_grad;
  auto word = torch::zeros({1, 1}, torch::TensorOptions().dtype(torch::kLong).device(device));
  auto state = model->initial_state(1);
  for (int i = 0; i < 10; ++i) {
    auto [logits, next] = model->forward(word, state);
    word = logits.argmax(2);
    state = next;
  }
}
