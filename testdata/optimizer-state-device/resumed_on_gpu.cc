// The state of an optimizer is loaded onto the device where it was saved.
#include <torch/torch.h>

#include <string>

torch::nn::Linear pretrain(const std::string& file) {
  torch::nn::Linear net(6, 1);
  torch::optim::Adam optimizer(net->parameters(), 1e-3);
  net->forward(torch::rand({4, 6})).sum().backward();
  optimizer.step();
  torch::save(optimizer, file);
  return net;
}

int main() {
  auto net = pretrain("resumed_on_gpu_optimizer.pt");
  net->to(torch::kCUDA);
  net->zero_grad(/*set_to_none=*/true);
  torch::optim::Adam optimizer(net->parameters(), 1e-3);
  torch::load(optimizer, "resumed_on_gpu_optimizer.pt");
  net->forward(torch::rand({4, 6}, torch::kCUDA)).sum().backward();
  optimizer.step();  // expect: optimizer-state-device
}
