// The hidden state of a recurrent layer must be where its input is.
#include <torch/torch.h>

#include <tuple>

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(4, 8).num_layers(2));
  lstm->to(device);
  auto x = torch::rand({5, 3, 4}, device);
  auto by_default = lstm->forward(x);

  auto h = torch::zeros({2, 3, 8}, device);
  auto c = torch::zeros({2, 3, 8}, device);
  auto [output, state] = lstm->forward(x, std::make_tuple(h, c));
  auto next = lstm->forward(x, state);

  auto h0 = torch::zeros({2, 3, 8});
  auto c0 = torch::zeros({2, 3, 8});
  auto bad = lstm->forward(x, std::make_tuple(h0, c0));  // expect: device-mismatch
  return 0;
}
