// Where there is no checkpoint yet, nothing has moved the model.
#include <torch/torch.h>

#include <iostream>
#include <string>

void resume_or_start(const std::string& path, torch::Device device) {
  torch::nn::Sequential net(torch::nn::Linear(1, 10), torch::nn::Tanh());
  try {
    torch::load(net, path);
  } catch (const c10::Error&) {
    std::cout << "from the beginning\n";
  }
  auto y = net->forward(torch::rand({8, 1}, device));  // expect: device-mismatch
}

void resume_or_move(const std::string& path, torch::Device device) {
  torch::nn::Linear net(1, 10);
  try {
    torch::load(net, path, device);
  } catch (const c10::Error&) {
    net->to(device);
  }
  auto y = net->forward(torch::rand({8, 1}, device));
}

// What a file is read for may have been prepared before.
void prepared_before(const std::string& path, torch::Device device) {
  torch::nn::Linear net(1, 10);
  try {
    net->to(device);
    torch::load(net, path, device);
  } catch (const std::exception& error) {
    std::cout << "not loaded\n";
  }
  auto y = net->forward(torch::rand({8, 1}, device));
}

int main() {
  torch::Device device(torch::kCUDA);
  resume_or_start("checkpoint_that_is_missing.pt", device);
  resume_or_move("checkpoint_that_is_missing.pt", device);
  prepared_before("checkpoint_that_is_missing.pt", device);
}
