#include <torch/torch.h>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// Prototypical classifier: class means of embedded support examples are kept between sessions.

struct EmbeddingNet : torch::nn::Module {
  EmbeddingNet()
      : l1(register_module("l1", torch::nn::Linear(7, 14))),
        l2(register_module("l2", torch::nn::Linear(14, 5))) {}
  torch::Tensor forward(torch::Tensor x) { return l2->forward(torch::relu(l1->forward(x))); }
  torch::nn::Linear l1, l2;
};

std::string remember(EmbeddingNet& net, const std::vector<torch::Tensor>& support) {
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> prototypes;
  for (const auto& examples : support) {
    auto device = net.parameters().front().device();
    prototypes.push_back(net.forward(examples.to(device)).mean(0));
  }
  std::ostringstream stream;
  torch::save(prototypes, stream);
  return stream.str();
}

std::vector<torch::Tensor> recall(const std::string& bytes) {
  std::istringstream stream(bytes);
  std::vector<torch::Tensor> prototypes;
  torch::load(prototypes, stream, torch::kCPU);
  return prototypes;
}

torch::Tensor classify(EmbeddingNet& net, const std::vector<torch::Tensor>& prototypes,
                       const torch::Tensor& examples) {
  auto embedded = net.forward(examples).unsqueeze(1);
  auto centers = torch::stack(prototypes).unsqueeze(0);
  auto distance = (embedded - centers).pow(2).sum(-1); // expect: device-mismatch
  return distance.argmin(1);
}

int main() {
  torch::manual_seed(45);
  const torch::Device device("cuda:0");
  EmbeddingNet net;
  net.to(device);

  std::vector<torch::Tensor> support;
  for (int label = 0; label < 3; ++label) {
    support.push_back(torch::randn({5, 7}) + 3.0 * label);
  }
  const std::string session = remember(net, support);
  std::cout << "prototypes saved\n";

  auto prototypes = recall(session);
  std::cout << prototypes.size() << " prototypes read\n";

  int64_t correct = 0;
  for (int label = 0; label < 3; ++label) {
    auto queries = (torch::randn({4, 7}) + 3.0 * label).to(device);
    auto predicted = classify(net, prototypes, queries);
    correct += predicted.eq(label).sum().item<int64_t>();
  }
  std::cout << correct << " of 12 correct\n";
}
