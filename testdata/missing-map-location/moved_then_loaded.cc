// run: trained.pt --train
// run: trained.pt
// Nothing is known of the file: the module is no longer certain to be where it was moved.
#include <torch/torch.h>

#include <string>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(fc->forward(x)); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main(int argc, char** argv) {
  if (argc > 2) {
    Net trained;
    torch::save(trained, std::string(argv[1]));
    return 0;
  }
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net net;
  net->to(device);
  torch::load(net, argc > 1 ? std::string(argv[1]) : "net.pt");  // expect: missing-map-location
  net->eval();
  auto y = net->forward(torch::rand({3, 4}).to(device));
}
