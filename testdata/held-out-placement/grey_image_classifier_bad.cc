#include <torch/torch.h>

#include <cstdint>
#include <iostream>
#include <vector>

// Small convolutional classifier for 16x16 grey images stored as bytes.
struct ConvNetImpl : torch::nn::Module {
  ConvNetImpl()
      : conv1(torch::nn::Conv2dOptions(1, 4, 3).padding(1)),
        conv2(torch::nn::Conv2dOptions(4, 8, 3).padding(1)),
        fc(8 * 4 * 4, 10) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("fc", fc);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::max_pool2d(torch::relu(conv1->forward(x)), 2);
    x = torch::max_pool2d(torch::relu(conv2->forward(x)), 2);
    return fc->forward(x.flatten(1));
  }

  torch::nn::Conv2d conv1, conv2;
  torch::nn::Linear fc;
};
TORCH_MODULE(ConvNet);

struct Example {
  torch::Tensor pixels;  // uint8, [N, 1, 16, 16]
  torch::Tensor labels;  // int64, [N]
};

std::vector<Example> make_epoch(int batches, int64_t batch_size) {
  std::vector<Example> epoch;
  for (int b = 0; b < batches; ++b) {
    epoch.push_back({torch::randint(0, 256, {batch_size, 1, 16, 16}, torch::kUInt8),
                     torch::randint(0, 10, {batch_size}, torch::kLong)});
  }
  return epoch;
}

// Bytes to floats in [0, 1], ready for the network.
torch::Tensor prepare(const torch::Tensor& pixels) {
  return pixels.to(torch::kFloat32).div_(255.0);
}

int main() {
  torch::manual_seed(3);
  const torch::Device device(torch::kCUDA, 0);

  ConvNet net;
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));

  for (int epoch = 0; epoch < 2; ++epoch) {
    double total = 0;
    for (auto& example : make_epoch(3, 8)) {
      optimizer.zero_grad();
      auto images = prepare(example.pixels);
      auto labels = example.labels.to(device);
      auto loss = torch::nn::functional::cross_entropy(net->forward(images), labels); // expect: device-mismatch
      loss.backward();
      optimizer.step();
      total += loss.item<double>();
    }
    std::cout << "epoch " << epoch << " loss " << total / 3 << "\n";
  }
  return 0;
}
