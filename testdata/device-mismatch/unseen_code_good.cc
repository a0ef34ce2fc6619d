// Code that is not seen may move what is global, and what it is handed.
#include <torch/torch.h>

void setup();
namespace house {
void to_best_device(torch::nn::Module& module);
}

torch::nn::Linear shared_net(4, 4);

torch::Tensor use_shared() {
  setup();
  return shared_net->forward(torch::rand({2, 4}, torch::kCUDA));
}

int main() {
  torch::nn::Linear net(4, 4);
  house::to_best_device(*net);
  auto y = net->forward(torch::rand({2, 4}, torch::kCUDA)) + use_shared();
}
