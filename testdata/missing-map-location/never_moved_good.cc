// Nothing was moved, and nothing is known of the file.
#include <torch/script.h>
#include <torch/torch.h>

int main(int argc, char** argv) {
  torch::nn::Linear net(4, 2);
  torch::load(net, "net.pt");
  auto y = net->forward(torch::rand({3, 4}));
  auto module = torch::jit::load(argv[argc - 1]);
  y = module.forward({torch::rand({3, 4})}).toTensor();
  torch::Tensor mean;
  torch::load(mean, "mean.pt");
  y = torch::rand({3, 4}, torch::kCUDA) - mean.to(torch::kCUDA);
}
