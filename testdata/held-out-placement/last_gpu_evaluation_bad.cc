#include <torch/torch.h>

#include <iostream>

// Runs the evaluation on the last GPU, so that training on the first ones is not disturbed.
struct EvalNetImpl : torch::nn::Module {
  EvalNetImpl() : fc1(20, 40), fc2(40, 5) {
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(fc1(x));
    return torch::softmax(fc2(x), /*dim=*/1);
  }

  torch::nn::Linear fc1, fc2;
};
TORCH_MODULE(EvalNet);

torch::Device last_gpu() {
  const auto count = torch::cuda::device_count();
  if (count == 0) return torch::Device(torch::kCPU);
  return torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(count)); // expect: invalid-device
}

double evaluate(EvalNet& net, const torch::Tensor& inputs, const torch::Tensor& labels) {
  torch::NoGradGuard no_grad;
  net->eval();
  auto predicted = net->forward(inputs).argmax(1);
  return predicted.eq(labels).to(torch::kFloat).mean().item<double>();
}

int main() {
  torch::manual_seed(2);
  auto device = last_gpu();
  std::cout << "evaluating on " << device << std::endl;

  EvalNet net;
  net->to(device);

  double mean = 0;
  const int folds = 4;
  for (int fold = 0; fold < folds; ++fold) {
    auto inputs = torch::randn({25, 20}, device);
    auto labels = torch::randint(5, {25}, torch::TensorOptions(torch::kLong).device(device));
    double accuracy = evaluate(net, inputs, labels);
    std::cout << "fold " << fold << " accuracy " << accuracy << "\n";
    mean += accuracy / folds;
  }
  std::cout << "mean " << mean << std::endl;
  return 0;
}
