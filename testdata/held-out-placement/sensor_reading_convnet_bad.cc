#include <torch/torch.h>

#include <iostream>
#include <memory>

// Sensor readings come as 16-bit integers; the model works in single precision on the GPU.

class SensorNet : public torch::nn::Module {
 public:
  SensorNet() {
    conv = register_module("conv", torch::nn::Conv1d(torch::nn::Conv1dOptions(2, 6, 3).padding(1)));
    fc = register_module("fc", torch::nn::Linear(6, 1));
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(conv->forward(x));
    return fc->forward(x.mean(2));
  }

 private:
  torch::nn::Conv1d conv{nullptr};
  torch::nn::Linear fc{nullptr};
};

// Brings readings into the form that the network's weights have.
torch::Tensor prepare(const torch::Tensor& readings, const torch::Tensor& weight) {
  auto x = readings.to(weight.scalar_type());
  return x / 32768.0;
}

int main() {
  torch::manual_seed(16);
  const torch::Device device{torch::kCUDA, 0};
  auto net = std::make_shared<SensorNet>();
  net->to(device, torch::kFloat32);

  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.01));
  const auto weight = net->parameters().front();

  for (int minute = 0; minute < 4; ++minute) {
    auto readings = torch::randint(-32768, 32767, {5, 2, 20}, torch::kInt16);
    auto level = torch::rand({5, 1}, device);
    auto x = prepare(readings, weight);
    auto y = net->forward(x); // expect: device-mismatch
    auto loss = torch::smooth_l1_loss(y, level);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "minute " << minute << ": " << loss.item<float>() << std::endl;
  }
  return 0;
}
