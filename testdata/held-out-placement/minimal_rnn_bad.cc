#include <torch/torch.h>

#include <iostream>
#include <tuple>

// A minimal recurrent network; the initial state is zero unless one is given.

struct ElmanCellImpl : torch::nn::Module {
  ElmanCellImpl(int64_t input, int64_t hidden)
      : ih(register_module("ih", torch::nn::Linear(input, hidden))),
        hh(register_module("hh", torch::nn::Linear(torch::nn::LinearOptions(hidden, hidden).bias(false)))) {}

  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& h) {
    return torch::tanh(ih(x) + hh(h));
  }

  torch::nn::Linear ih, hh;
};
TORCH_MODULE(ElmanCell);

struct RnnImpl : torch::nn::Module {
  RnnImpl(int64_t input, int64_t hidden, int64_t output)
      : hidden_size(hidden),
        cell(register_module("cell", ElmanCell(input, hidden))),
        readout(register_module("readout", torch::nn::Linear(hidden, output))) {}

  // x: [time, batch, input]
  std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor& x, torch::Tensor h = {}) {
    if (!h.defined()) {
      h = torch::zeros({x.size(1), hidden_size}, x.dtype());
    }
    std::vector<torch::Tensor> outputs;
    for (int64_t t = 0; t < x.size(0); ++t) {
      h = cell(x[t], h); // expect: hardcoded-device
      outputs.push_back(readout(h));
    }
    return {torch::stack(outputs), h};
  }

  int64_t hidden_size;
  ElmanCell cell;
  torch::nn::Linear readout;
};
TORCH_MODULE(Rnn);

int main() {
  torch::manual_seed(37);
  auto device = torch::cuda::is_available() ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
  Rnn rnn(1, 12, 1);
  rnn->to(device);
  torch::optim::RMSprop optimizer(rnn->parameters(), torch::optim::RMSpropOptions(5e-3));

  auto time = torch::arange(60, torch::kFloat) * 0.3;
  auto wave = torch::stack({time.sin(), time.cos()}, 1).unsqueeze(2).to(device);  // [60, 2, 1]

  for (int epoch = 0; epoch < 3; ++epoch) {
    torch::Tensor state;
    double sum = 0;
    for (int64_t begin = 0; begin + 11 <= wave.size(0); begin += 10) {
      auto x = wave.slice(0, begin, begin + 10);
      auto y = wave.slice(0, begin + 1, begin + 11);
      auto [predicted, last] = rnn->forward(x, state);
      auto loss = torch::mse_loss(predicted, y);
      optimizer.zero_grad();
      loss.backward();
      torch::nn::utils::clip_grad_norm_(rnn->parameters(), 1.0);
      optimizer.step();
      state = last.detach();
      sum += loss.item<double>();
    }
    std::cout << "epoch " << epoch << " loss " << sum << std::endl;
  }
  return 0;
}
