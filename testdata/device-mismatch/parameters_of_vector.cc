// vector_to_parameters() makes the parameters parts of the vector, which is on the CPU.
#include <torch/torch.h>

#include <iostream>

int main() {
  torch::NoGradGuard no_grad;
  torch::nn::Linear net(4, 2);
  net->to(torch::kCUDA);
  torch::Tensor x = torch::rand({3, 4}, torch::kCUDA);
  torch::Tensor flat = torch::nn::utils::parameters_to_vector(net->parameters());
  torch::nn::utils::vector_to_parameters(flat * 0.5, net->parameters());
  std::cout << net->forward(x) << "\n";
  torch::nn::utils::vector_to_parameters(flat.cpu(), net->parameters());
  std::cout << net->forward(x) << "\n";  // expect: device-mismatch
}
