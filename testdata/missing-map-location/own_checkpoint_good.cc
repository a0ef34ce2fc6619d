// The program writes the file itself, from the device to which the module is moved.
#include <torch/torch.h>

int main(int argc, char**) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear net(4, 2);
  net->to(device);
  if (argc > 1) torch::load(net, "checkpoint.pt");
  for (int epoch = 0; epoch < 3; ++epoch) {
    auto loss = net->forward(torch::rand({3, 4}, device)).sum();
    loss.backward();
    torch::save(net, "checkpoint.pt");
  }
}
