// The first epoch runs on the CPU, and leaves the momenta there.
#include <torch/torch.h>

void train(torch::nn::Linear& net, torch::optim::Optimizer& optimizer, torch::Device device) {
  auto loss = net->forward(torch::rand({4, 8}, device)).sum();
  loss.backward();
  optimizer.step();  // expect: optimizer-state-device
}

int main() {
  torch::nn::Linear net(8, 2);
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  train(net, optimizer, torch::kCPU);
  net->zero_grad(/*set_to_none=*/true);
  net->to(torch::kCUDA);
  train(net, optimizer, torch::kCUDA);
}
