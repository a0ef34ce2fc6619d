#include <torch/torch.h>

#include <iostream>
#include <string>

// Small digit classifier: pretrain on the synthetic source domain, then fine-tune on the target.

class DigitNetImpl : public torch::nn::Module {
 public:
  explicit DigitNetImpl(int64_t classes)
      : conv1(register_module("conv1", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3).padding(1)))),
        conv2(register_module("conv2", torch::nn::Conv2d(torch::nn::Conv2dOptions(4, 8, 3).padding(1)))),
        fc(register_module("fc", torch::nn::Linear(8 * 2 * 2, classes))) {}

  torch::Tensor forward(torch::Tensor x) {
    x = torch::max_pool2d(torch::relu(conv1(x)), 2);
    x = torch::max_pool2d(torch::relu(conv2(x)), 2);
    return fc(x.flatten(1));
  }

 private:
  torch::nn::Conv2d conv1, conv2;
  torch::nn::Linear fc;
};
TORCH_MODULE(DigitNet);

struct Batch {
  torch::Tensor images;
  torch::Tensor labels;
};

Batch make_batch(int64_t n, double shift) {
  return {torch::randn({n, 1, 8, 8}) + shift, torch::randint(0, 10, {n}, torch::kLong)};
}

void pretrain(const std::string& path) {
  DigitNet net(10);
  torch::optim::SGD sgd(net->parameters(), 0.05);
  for (int step = 0; step < 5; ++step) {
    Batch batch = make_batch(8, 0.0);
    sgd.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net(batch.images), batch.labels);
    loss.backward();
    sgd.step();
  }
  torch::save(net, path);
  std::cout << "pretrained weights in " << path << "\n";
}

void finetune(const std::string& path, torch::Device device) {
  DigitNet net(10);
  net->to(device);
  torch::load(net, path); // expect: missing-map-location
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  net->train();
  for (int epoch = 0; epoch < 3; ++epoch) {
    double total = 0;
    for (int step = 0; step < 4; ++step) {
      Batch batch = make_batch(8, 0.3);
      auto images = batch.images.to(device);
      auto labels = batch.labels.to(device);
      sgd.zero_grad();
      auto logits = net(images);
      auto loss = torch::nn::functional::cross_entropy(logits, labels);
      loss.backward();
      sgd.step();
      total += loss.item<double>();
    }
    std::cout << "epoch " << epoch << " loss " << total / 4 << "\n";
  }
}

int main() {
  torch::manual_seed(1);
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  const std::string path = "/tmp/cc6_digits_pretrained.pt";
  pretrain(path);
  finetune(path, device);
  return 0;
}
