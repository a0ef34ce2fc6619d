// A tensor without elements says that there is none yet.
#include <torch/torch.h>

int main() {
  torch::nn::GRU rnn(8, 8);
  rnn->to(torch::kCUDA);
  torch::Tensor state = torch::empty({0});
  for (int step = 0; step < 4; ++step) {
    torch::Tensor x = torch::rand({5, 2, 8}, torch::kCUDA);
    if (state.numel() == 0) {
      state = torch::zeros({1, 2, 8}, torch::kCUDA);
    } else {
      state.detach_();
    }
    std::tie(x, state) = rnn->forward(x, state);
  }
}
