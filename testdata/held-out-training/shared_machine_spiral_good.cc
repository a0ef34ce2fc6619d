// arguments: 0
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// Uses only the second card of a shared machine; inside the program it is number 0.

struct Args {
  std::string visible = "1";
  int epochs = 4;
  double lr = 0.05;
};

Args parse(int argc, char** argv) {
  Args args;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--gpu") args.visible = argv[i + 1];
    if (name == "--epochs") args.epochs = std::atoi(argv[i + 1]);
    if (name == "--lr") args.lr = std::atof(argv[i + 1]);
  }
  return args;
}

torch::Tensor spiral(int64_t count, int64_t arm) {
  auto t = torch::linspace(0.1, 1, count);
  auto angle = t * 4 + 3.14159 * static_cast<double>(arm);
  return torch::stack({t * torch::cos(angle), t * torch::sin(angle)}, 1);
}

int main(int argc, char** argv) {
  const Args args = parse(argc, argv);
  setenv("CUDA_VISIBLE_DEVICES", args.visible.c_str(), /*overwrite=*/1);

  torch::manual_seed(36);
  std::cout << torch::cuda::device_count() << " device(s) visible\n";
  const torch::Device device(torch::kCUDA, 0);

  torch::nn::Sequential net(torch::nn::Linear(2, 16), torch::nn::Tanh(), torch::nn::Linear(16, 16),
                            torch::nn::Tanh(), torch::nn::Linear(16, 2));
  net->to(device);
  torch::optim::Adam optimizer(net->parameters(), args.lr);

  auto points = torch::cat({spiral(20, 0), spiral(20, 1)}).to(device);
  auto arms = torch::cat({torch::zeros({20}, torch::kLong), torch::ones({20}, torch::kLong)}).to(device);

  for (int epoch = 0; epoch < args.epochs; ++epoch) {
    auto order = torch::randperm(40, torch::kLong).to(device);
    double total = 0;
    for (const auto& rows : order.chunk(4)) {
      auto loss = torch::nn::functional::cross_entropy(net->forward(points.index_select(0, rows)),
                                                       arms.index_select(0, rows));
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      total += loss.item<double>();
    }
    std::cout << "epoch " << epoch << " loss " << total / 4 << "\n";
  }
}
