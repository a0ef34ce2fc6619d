// With a device, everything is where it should be.
#include <torch/script.h>
#include <torch/torch.h>

#include <string>

int main(int argc, char** argv) {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 2);
  net->to(device);
  torch::load(net, argv[argc - 1], device);
  auto y = net->forward(torch::rand({3, 4}, device));
  auto module = torch::jit::load(argv[argc - 1], device);
  y = module.forward({torch::rand({3, 4}, device)}).toTensor();
  torch::serialize::InputArchive archive;
  archive.load_from("net.pt", device);
  net->load(archive);
  y = net->forward(y.new_zeros({3, 4}));
}
