#include <torch/torch.h>

#include <iostream>
#include <memory>

// Keeps the module objects and exchanges the storage of their weights.
void move_weights(torch::nn::Module& module, torch::Device device) {
  torch::NoGradGuard no_grad;
  for (auto& parameter : module.parameters()) {
    parameter.set_data(parameter.to(device));
  }
}

class ConvBlockImpl : public torch::nn::Module {
 public:
  ConvBlockImpl(int64_t in, int64_t out)
      : conv(torch::nn::Conv2dOptions(in, out, 3).padding(1).bias(false)), bn(out) {
    register_module("conv", conv);
    register_module("bn", bn);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = conv->forward(x);
    x = bn->forward(x); // expect-miss: device-mismatch
    return torch::relu(x);
  }

 private:
  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d bn;
};
TORCH_MODULE(ConvBlock);

class ImageNet : public torch::nn::Module {
 public:
  ImageNet()
      : block1(1, 4), block2(4, 8), fc(8, 2) {
    register_module("block1", block1);
    register_module("block2", block2);
    register_module("fc", fc);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::avg_pool2d(block1->forward(x), 2);
    x = block2->forward(x).mean({2, 3});
    return fc->forward(x);
  }

 private:
  ConvBlock block1, block2;
  torch::nn::Linear fc;
};

int main() {
  torch::manual_seed(29);
  auto net = std::make_shared<ImageNet>();
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1));

  const torch::Device device(torch::kCUDA, 1);
  move_weights(*net, device);

  net->train();
  for (int step = 0; step < 4; ++step) {
    auto images = torch::rand({6, 1, 8, 8}, device);
    auto labels = (images.mean({1, 2, 3}) > 0.5).to(torch::kLong);
    auto loss = torch::nn::functional::cross_entropy(net->forward(images), labels);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << " " << loss.item<float>() << "\n";
  }
  return 0;
}
