// Sequences of different lengths, packed.
#include <torch/torch.h>

namespace rnn = torch::nn::utils::rnn;

torch::Tensor encode(torch::nn::LSTM& lstm, const torch::Tensor& batch) {
  auto packed = rnn::pack_padded_sequence(batch, torch::tensor({3, 2}));
  auto [output, state] = lstm->forward_with_packed_input(packed);  // expect: device-mismatch
  auto [padded, lengths] = rnn::pad_packed_sequence(output);
  return padded;
}

int main() {
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(4, 4));
  lstm->to(torch::kCUDA);
  auto batch = rnn::pad_sequence({torch::rand({3, 4}), torch::rand({2, 4})});
  encode(lstm, batch.to(torch::kCUDA)) + torch::rand({4}, torch::kCUDA);
  encode(lstm, batch);
}
