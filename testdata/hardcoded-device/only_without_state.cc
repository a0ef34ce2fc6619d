// The usual optional state: made only where the caller gives none.
#include <torch/torch.h>

struct DecoderImpl : torch::nn::Module {
  DecoderImpl() { cell = register_module("cell", torch::nn::GRUCell(4, 8)); }
  torch::Tensor forward(torch::Tensor x, torch::Tensor state = {}) {
    if (!state.defined()) state = torch::zeros({x.size(0), 8});
    return cell->forward(x, state);  // expect: hardcoded-device
  }
  torch::nn::GRUCell cell{nullptr};
};
TORCH_MODULE(Decoder);

int main() {
  torch::Device device(torch::kCUDA);
  Decoder decoder;
  decoder->to(device);
  auto given = decoder->forward(torch::rand({2, 4}, device), torch::zeros({2, 8}, device));
  auto made = decoder->forward(torch::rand({2, 4}, device));
}
