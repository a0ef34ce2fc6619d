// The move is in a generic helper.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return embedding(x); }
  torch::nn::Embedding embedding{10, 4};  // expect: unregistered-state
};
TORCH_MODULE(Net);

template <typename Model>
void fit(Model& model, torch::Device device) {
  model->train();
  model->to(device);
}

int main() {
  Net net;
  fit(net, torch::kCUDA);
  auto y = net->forward(torch::zeros({2}, torch::dtype(torch::kLong).device(torch::kCUDA)));
}
