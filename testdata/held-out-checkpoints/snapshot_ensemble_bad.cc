// arguments: 0
#include <torch/torch.h>

#include <iostream>
#include <vector>

namespace F = torch::nn::functional;

// Ensemble whose members are added one by one (snapshot ensembling).
struct EnsembleImpl : torch::nn::Module {
  torch::nn::ModuleList members;

  EnsembleImpl() { register_module("members", members); }

  void add_member() {
    members->push_back(torch::nn::Sequential(torch::nn::Linear(8, 16), torch::nn::ReLU(),
                                             torch::nn::Linear(16, 4)));
  }

  torch::Tensor forward(torch::Tensor x) {
    std::vector<torch::Tensor> logits;
    for (size_t i = 0; i < members->size(); ++i) {
      auto member = std::dynamic_pointer_cast<torch::nn::SequentialImpl>(members->ptr(i));
      logits.push_back(member->forward(x));
    }
    return torch::stack(logits).mean(0);
  }
};
TORCH_MODULE(Ensemble);

double train(Ensemble& ensemble, const torch::Tensor& x, const torch::Tensor& y, int steps) {
  torch::optim::SGD optimizer(ensemble->parameters(), torch::optim::SGDOptions(0.1));
  double loss_value = 0;
  while (steps-- > 0) {
    optimizer.zero_grad();
    auto loss = F::cross_entropy(ensemble->forward(x), y); // expect: device-mismatch
    loss.backward();
    optimizer.step();
    loss_value = loss.item<double>();
  }
  return loss_value;
}

int main(int argc, char** argv) {
  torch::manual_seed(6);
  const size_t max_members = argc > 1 ? std::stoul(argv[1]) : 3;
  const torch::Device device(torch::kCUDA, 0);

  auto x = torch::randn({30, 8}, device);
  auto y = x.slice(1, 0, 4).argmax(1);

  Ensemble ensemble;
  ensemble->add_member();
  ensemble->to(device);
  std::cout << "1 member: " << train(ensemble, x, y, 3) << std::endl;

  while (ensemble->members->size() < max_members) {
    ensemble->add_member();
    std::cout << ensemble->members->size() << " members: " << train(ensemble, x, y, 3) << std::endl;
  }
  return 0;
}
