// arguments: 0
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// Experiment runner. The GPU is chosen by its number in nvidia-smi.

struct Experiment {
  std::string name = "ablation-dropout";
  int gpu = 1;
  int64_t batch = 16;
  double dropout = 0.2;
  int steps = 4;
};

Experiment parse(int argc, char** argv) {
  Experiment e;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string key = argv[i];
    if (key == "--gpu") e.gpu = std::atoi(argv[i + 1]);
    if (key == "--steps") e.steps = std::atoi(argv[i + 1]);
    if (key == "--dropout") e.dropout = std::atof(argv[i + 1]);
  }
  return e;
}

torch::Device select_device(const Experiment& e) {
  // Keep other people's GPUs out of reach.
  setenv("CUDA_VISIBLE_DEVICES", std::to_string(e.gpu).c_str(), 1);
  return torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(e.gpu));  // expect: visible-devices
}

struct NetImpl : torch::nn::Module {
  explicit NetImpl(double p) {
    seq = register_module("seq", torch::nn::Sequential(torch::nn::Linear(8, 16), torch::nn::ReLU(),
                                                       torch::nn::Dropout(p), torch::nn::Linear(16, 1)));
  }
  torch::Tensor forward(torch::Tensor x) { return seq->forward(x); }
  torch::nn::Sequential seq{nullptr};
};
TORCH_MODULE(Net);

int main(int argc, char** argv) {
  const Experiment experiment = parse(argc, argv);
  const torch::Device device = select_device(experiment);
  torch::manual_seed(41);

  Net net(experiment.dropout);
  net->to(device);
  torch::optim::Adam adam(net->parameters(), 1e-2);
  std::cout << experiment.name << " on " << device << std::endl;

  for (int step = 0; step < experiment.steps; ++step) {
    auto x = torch::randn({experiment.batch, 8}).to(device);
    auto y = x.pow(2).sum(1, true);
    adam.zero_grad();
    auto loss = torch::mse_loss(net(x), y);
    loss.backward();
    adam.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << std::endl;
  }
  torch::save(net, "/tmp/cc6_ablation.pt");
  return 0;
}
