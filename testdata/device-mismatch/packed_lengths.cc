// The lengths of packed sequences stay on the host; these are moved with the batch.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::Tensor values = torch::rand({5, 3, 4});
  torch::Tensor lengths = torch::tensor({5, 4, 2}, torch::kLong);
  torch::nn::GRU gru(4, 6);
  gru->to(torch::kCUDA);
  using torch::nn::utils::rnn::pack_padded_sequence;
  auto packed = pack_padded_sequence(values.cuda(), lengths);
  std::cout << std::get<1>(gru->forward_with_packed_input(packed)) << "\n";
  packed = pack_padded_sequence(values.cuda(), lengths.cuda());  // expect: device-mismatch
}
