// An image is painted by gradient descent, and takes a gradient where it has moved to.
#include <torch/torch.h>

#include <vector>

torch::Tensor start(torch::Device device) {
  torch::Tensor image = torch::rand({1, 3, 8, 8}).to(device);
  return image.requires_grad_(true);
}

int main() {
  torch::Device device(torch::kCUDA, 0);
  torch::Tensor wanted = torch::rand({1, 3, 8, 8}, device);
  torch::Tensor image = start(device);
  torch::Tensor again = torch::rand({2}, torch::requires_grad()).to(device).detach().requires_grad_();
  std::vector<torch::Tensor> trained{image, again};
  torch::optim::Adam optimizer(trained, 0.1);
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    torch::mse_loss(image, wanted).backward();
    optimizer.step();
  }
}
