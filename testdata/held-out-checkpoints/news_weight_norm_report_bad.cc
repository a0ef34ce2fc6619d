// arguments: 0
#include <torch/torch.h>

#include <iostream>
#include <string>

// Reports the norm of the classifier's weights during training (to tune the weight decay).

struct NewsNetImpl : torch::nn::Module {
  NewsNetImpl(int64_t vocab, int64_t dim, int64_t topics) {
    embedding = register_module("embedding", torch::nn::EmbeddingBag(vocab, dim));
    dropout = register_module("dropout", torch::nn::Dropout(0.1));
    classifier = register_module("classifier", torch::nn::Linear(dim, topics));
  }

  torch::Tensor forward(torch::Tensor tokens) {
    return classifier(dropout(embedding(tokens)));
  }

  torch::nn::EmbeddingBag embedding{nullptr};
  torch::nn::Dropout dropout{nullptr};
  torch::nn::Linear classifier{nullptr};
};
TORCH_MODULE(NewsNet);

float weight_norm(const torch::nn::Module& net) {
  auto parameters = net.named_parameters();
  return parameters["fc.weight"].norm().item<float>(); // expect: missing-key
}

int main(int argc, char** argv) {
  const int epochs = argc > 1 ? std::stoi(argv[1]) : 2;
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available()) device = torch::Device(torch::kCUDA, torch::cuda::device_count() - 1);

  NewsNet net(50, 16, 4);
  net->to(device);
  torch::optim::AdamW optimizer(net->parameters(), torch::optim::AdamWOptions(1e-2).weight_decay(0.1));

  for (int epoch = 0; epoch < epochs; ++epoch) {
    net->train();
    float running = 0;
    for (int i = 0; i < 3; ++i) {
      auto tokens = torch::randint(0, 50, {8, 6}, torch::kLong).to(device);
      auto topics = torch::randint(0, 4, {8}, torch::kLong).to(device);
      optimizer.zero_grad();
      auto loss = torch::nn::functional::cross_entropy(net(tokens), topics);
      loss.backward();
      optimizer.step();
      running += loss.item<float>();
    }
    std::cout << "epoch " << epoch << " loss " << running / 3;
    std::cout << " |w| " << weight_norm(*net) << std::endl;
  }
  return 0;
}
