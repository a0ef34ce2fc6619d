// A method of the module makes the first state.
#include <torch/torch.h>

struct TaggerImpl : torch::nn::Module {
  TaggerImpl() { gru = register_module("gru", torch::nn::GRU(4, 8)); }
  torch::Tensor initial_state(int64_t batch) const { return torch::zeros({1, batch, 8}); }
  torch::Tensor forward(torch::Tensor x) {
    auto state = initial_state(x.size(1));
    return std::get<0>(gru->forward(x, state));  // expect: hardcoded-device
  }
  torch::nn::GRU gru{nullptr};
};
TORCH_MODULE(Tagger);

int main() {
  Tagger tagger;
  tagger->to(torch::kCUDA);
  auto y = tagger->forward(torch::rand({5, 2, 4}, torch::kCUDA));
}
