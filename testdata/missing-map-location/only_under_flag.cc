// run: --train
// run: --pretrained
// Only where the user asks for it.
#include <torch/torch.h>

#include <cstring>

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--train") == 0) {
    torch::nn::Linear trained(4, 2);
    torch::save(trained, "net.pt");
    return 0;
  }
  bool pretrained = argc > 1 && std::strcmp(argv[1], "--pretrained") == 0;
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 2);
  net->to(device);
  if (pretrained) torch::load(net, "net.pt");  // expect: missing-map-location
  auto y = net->forward(torch::rand({3, 4}, device));
}
