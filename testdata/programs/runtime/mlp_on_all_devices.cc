// A perceptron that learns which of four numbers is the largest, on all devices that there are.
// Prints the loss of the last epoch, and the sum of all parameters to the last bit.
#include <cstdio>

#include "runtime/runtime.h"

namespace torch = placecheck::runtime;

struct MlpImpl : torch::nn::Module {
  MlpImpl()
      : hidden(register_module("hidden", torch::nn::Linear(4, 64))),
        out(register_module("out", torch::nn::Linear(64, 4))) {}
  torch::Tensor forward(const torch::Tensor& x) { return out(torch::relu(hidden(x))); }
  torch::nn::Linear hidden;
  torch::nn::Linear out;
};
PLACECHECK_MODULE(Mlp);

double train_epoch(torch::nn::DataParallel<MlpImpl>& net, const torch::data::DataLoader& loader,
                   torch::optim::Optimizer& optimizer, const torch::Device& device) {
  double total = 0;
  for (const torch::data::Example& batch : loader) {
    torch::Tensor output = net(batch.data.to(device, /*non_blocking=*/true));
    torch::Tensor loss = torch::cross_entropy(output, batch.target.to(device));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    total += loss.item<float>();
  }
  return total / static_cast<double>(loader.size());
}

int main() {
  torch::manual_seed(3);
  torch::Device device("cuda:0");
  Mlp model;
  model->to(device);
  torch::nn::DataParallel net(model);
  torch::Tensor inputs = torch::rand({512, 4});
  torch::data::DataLoader loader(
      torch::data::TensorDataset(inputs, inputs.argmax(1)),
      torch::data::DataLoaderOptions(33).shuffle(true).workers(2).pin_memory(true));
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(0.01));
  double loss = 0;
  for (int epoch = 0; epoch < 15; ++epoch) loss = train_epoch(net, loader, optimizer, device);
  double sum = 0;
  for (const torch::Tensor& parameter : net->parameters()) sum += parameter.sum().item<double>();
  std::printf("loss %.6f\nparameters %.17g\n", loss, sum);
}
