// A scripted module comes back on the device that it was saved from.
#include <torch/script.h>
#include <torch/torch.h>

#include <string>

void write_module(const std::string& path) {
  torch::jit::Module module("Scale");
  module.register_parameter("weight", torch::ones({3}), false);
  module.define("def forward(self, x):\n  return x * self.weight\n");
  module.save(path);
}

int main(int argc, char** argv) {
  write_module(argv[argc - 1]);
  auto exported = torch::jit::load(argv[argc - 1], torch::kCUDA);
  exported.save("on_card.pt");
  auto module = torch::jit::load("on_card.pt");  // expect: missing-map-location
  auto y = module.forward({torch::rand({1, 3})}).toTensor();
}
