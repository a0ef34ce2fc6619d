// The inputs follow the module, wherever the file has put it.
#include <torch/torch.h>

int main() {
  torch::nn::Linear net(4, 2);
  net->to(torch::kCUDA);
  torch::load(net, "net.pt");
  auto device = net->parameters()[0].device();
  auto y = net->forward(torch::rand({3, 4}).to(device));
  y = net->forward(torch::rand({3, 4}).to(net->weight.device()));
}
