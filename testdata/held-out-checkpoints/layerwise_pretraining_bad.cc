#include <torch/torch.h>

#include <iostream>
#include <sstream>

using torch::nn::Linear;
using torch::nn::ReLU;
using torch::nn::Sequential;

// Layer-wise pre-training of a stacked autoencoder, then a classifier on top.

static torch::Tensor make_batch(int64_t n, const torch::Device& device) {
  return torch::rand({n, 16}, torch::TensorOptions().device(device));
}

static void pretrain(Sequential& encoder, int64_t inputs, int64_t code, const torch::Device& device) {
  Sequential decoder(Linear(code, inputs), torch::nn::Sigmoid());
  decoder->to(device);
  auto parameters = encoder->parameters();
  for (auto& p : decoder->parameters()) parameters.push_back(p);
  torch::optim::Adam adam(parameters, torch::optim::AdamOptions(1e-2));
  for (int i = 0; i < 4; ++i) {
    auto x = make_batch(8, device);
    adam.zero_grad();
    auto loss = torch::mse_loss(decoder->forward(encoder->forward(x)), x);
    loss.backward();
    adam.step();
    if (i % 2 == 1) std::cout << "reconstruction " << loss.item<float>() << "\n";
  }
}

int main() {
  torch::manual_seed(38);
  const torch::Device device("cuda:0");

  Sequential encoder(Linear(16, 8), ReLU());
  encoder->to(device);
  pretrain(encoder, 16, 8, device);

  // Keep the weights as they are after pre-training.
  std::stringstream snapshot;
  torch::save(encoder, snapshot);

  for (auto& p : encoder->parameters()) p.set_requires_grad(false);
  encoder->push_back("hidden", Linear(8, 8));
  encoder->push_back("hidden_relu", ReLU());
  encoder->push_back("classifier", Linear(8, 4));

  std::vector<torch::Tensor> trainable;
  for (auto& p : encoder->parameters()) {
    if (p.requires_grad()) trainable.push_back(p);
  }
  std::cout << trainable.size() << " tensors to train" << std::endl;

  torch::optim::SGD sgd(trainable, torch::optim::SGDOptions(0.1));
  for (int i = 0; i < 4; ++i) {
    auto x = make_batch(8, device);
    auto labels = (x.slice(1, 0, 4)).argmax(1);
    sgd.zero_grad();
    auto logits = encoder->forward(x); // expect: device-mismatch
    auto loss = torch::nn::functional::cross_entropy(logits, labels);
    loss.backward();
    sgd.step();
    std::cout << "classification " << loss.item<float>() << "\n";
  }
}
