// A scripted module: its device is the one given to load or to().
#include <torch/script.h>
#include <torch/torch.h>

#include <string>
#include <vector>

void write_module(const std::string& path) {
  torch::jit::Module module("Scale");
  module.register_parameter("weight", torch::ones({3, 1, 1}), false);
  module.define("def forward(self, x):\n  return x * self.weight\n");
  module.save(path);
}

torch::Tensor classify(const std::string& path) {
  torch::Device device(torch::kCUDA);
  torch::jit::script::Module module = torch::jit::load(path, device);
  module.eval();
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(torch::ones({1, 3, 8, 8}).to(device));
  return module.forward(inputs).toTensor();
}

torch::Tensor classify_wrongly(const std::string& path) {
  auto module = torch::jit::load(path);
  module.to(torch::kCUDA);
  auto image = torch::ones({1, 3, 8, 8});
  return module.forward({image}).toTensor();  // expect: device-mismatch
}

torch::Tensor unknown_place(const std::string& path) {
  auto module = torch::jit::load(path);
  return module.forward({torch::ones({1, 3, 8, 8})}).toTensor();
}

int main(int argc, char** argv) {
  if (argc < 2) return 0;
  write_module(argv[1]);
  auto good = classify(argv[1]) + unknown_place(argv[1]).to(torch::kCUDA);
  auto bad = classify_wrongly(argv[1]);
}
