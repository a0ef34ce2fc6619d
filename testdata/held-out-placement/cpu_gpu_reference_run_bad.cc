#include <torch/torch.h>

#include <cstdlib>
#include <iostream>

// Reference run on the CPU first, then the same thing on the GPU, to compare the numbers.

struct Result {
  double loss = 0;
  torch::Tensor weight;
};

class Experiment {
 public:
  explicit Experiment(torch::Device device) : device_(device) {}

  Result run(int steps) {
    torch::manual_seed(1234);
    auto data = torch::randn({50, 4});
    auto target = data.matmul(torch::arange(4, torch::kFloat).unsqueeze(1));
    torch::nn::Linear model(torch::nn::LinearOptions(4, 1).bias(false));
    model->to(device_);
    data = data.to(device_);
    target = target.to(device_);
    torch::optim::SGD optimizer(model->parameters(), 0.05);
    Result result;
    for (int i = 0; i < steps; ++i) {
      optimizer.zero_grad();
      auto loss = torch::mse_loss(model->forward(data), target);
      loss.backward();
      optimizer.step();
      result.loss = loss.item<double>();
    }
    result.weight = model->weight.detach().cpu();
    return result;
  }

 private:
  torch::Device device_;
};

Result reference_run(int steps) {
  // Make sure that nothing of the reference gets near a GPU.
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  if (torch::cuda::is_available()) throw std::runtime_error("the reference must run on the CPU");
  return Experiment(torch::kCPU).run(steps);
}

int main() {
  const int steps = 20;
  auto reference = reference_run(steps);
  std::cout << "reference loss " << reference.loss << std::endl;

  auto measured = Experiment(torch::Device(torch::kCUDA, 0)).run(steps); // expect: visible-devices
  std::cout << "GPU loss " << measured.loss << std::endl;

  auto difference = (measured.weight - reference.weight).abs().max().item<double>();
  std::cout << "largest difference " << difference << std::endl;
  return difference < 1e-3 ? 0 : 1;
}
