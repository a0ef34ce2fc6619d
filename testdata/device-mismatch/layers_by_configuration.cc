// The children of a Sequential depend on a list: whichever they are, they move together.
#include <torch/torch.h>

#include <vector>

torch::nn::Sequential make_layers(const std::vector<int>& widths, bool normalise) {
  torch::nn::Sequential layers;
  int inputs = 3;
  for (int width : widths) {
    if (width < 0) {
      layers->push_back(torch::nn::MaxPool2d(torch::nn::MaxPool2dOptions(2).stride(2)));
    } else {
      layers->push_back(torch::nn::Conv2d(torch::nn::Conv2dOptions(inputs, width, 3).padding(1)));
      if (normalise) layers->push_back(torch::nn::BatchNorm2d(width));
      layers->push_back(torch::nn::ReLU());
      inputs = width;
    }
  }
  return layers;
}

struct NetImpl : torch::nn::Module {
  NetImpl(const std::vector<int>& widths, bool normalise) {
    layers = register_module("layers", make_layers(widths, normalise));
    head = register_module("head", torch::nn::Linear(64, 10));
  }
  torch::Tensor forward(torch::Tensor x) { return head->forward(layers->forward(x).mean({2, 3})); }
  torch::nn::Sequential layers{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(Net);

int main() {
  torch::Device device(torch::kCUDA);
  std::vector<int> widths = {64, -1, 64, 64, -1, 128, -1, 64};
  Net net(widths, true);
  auto on_host = net->forward(torch::rand({4, 3, 32, 32}));
  net->to(device);
  auto scores = net->forward(torch::rand({4, 3, 32, 32}).to(device));
  auto target = torch::randint(10, {4});
  auto loss = torch::cross_entropy_loss(scores, target);  // expect: device-mismatch
  auto again = torch::cross_entropy_loss(on_host, target);
  net->forward(torch::rand({4, 3, 32, 32}));  // expect: device-mismatch
}
