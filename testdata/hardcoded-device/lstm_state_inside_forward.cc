// The state is made inside forward, without a device.
#include <torch/torch.h>

struct TaggerImpl : torch::nn::Module {
  TaggerImpl() {
    gru = register_module("gru", torch::nn::GRU(4, 8));
    fc = register_module("fc", torch::nn::Linear(8, 3));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto h0 = torch::zeros({1, x.size(1), 8});
    auto out = std::get<0>(gru->forward(x, h0));  // expect: hardcoded-device
    return fc->forward(out);
  }
  torch::nn::GRU gru{nullptr};
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Tagger);

struct CleanTaggerImpl : torch::nn::Module {
  CleanTaggerImpl() { gru = register_module("gru", torch::nn::GRU(4, 8)); }
  torch::Tensor forward(torch::Tensor x) {
    auto h0 = torch::zeros({1, x.size(1), 8}, x.options());
    return std::get<0>(gru->forward(x, h0));
  }
  torch::nn::GRU gru{nullptr};
};
TORCH_MODULE(CleanTagger);

int main() {
  torch::Device device(torch::kCUDA);
  CleanTagger clean;
  clean->to(device);
  clean->forward(torch::rand({5, 2, 4}).to(device));
  Tagger tagger;
  tagger->to(device);
  tagger->forward(torch::rand({5, 2, 4}).to(device));
}
