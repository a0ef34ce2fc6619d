// The output of torch's own data_parallel is on the first device, or on the one asked for.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

int main() {
  std::vector<torch::Device> devices = {torch::Device(torch::kCUDA, 0),
                                        torch::Device(torch::kCUDA, 1)};
  Net net;
  net->to(devices[0]);
  auto x = torch::rand({8, 4});
  auto y = torch::rand({8, 2});
  auto output = torch::nn::parallel::data_parallel(net, x, devices);
  auto loss = torch::mse_loss(output, y.to(devices[0]));
  loss = torch::mse_loss(output, y.to(output.device()));
  auto second = torch::nn::parallel::data_parallel(net, x, devices, devices[1]);
  loss = torch::mse_loss(second, y.to("cuda:1"));
  loss = torch::mse_loss(second, y.to("cuda:0"));  // expect: device-mismatch
  loss = torch::mse_loss(output, y);               // expect: device-mismatch
  return 0;
}
