// A scripted module comes back on the device that it was saved from.
#include <torch/script.h>
#include <torch/torch.h>

#include <string>

int main(int argc, char** argv) {
  auto exported = torch::jit::load(argv[argc - 1], torch::kCUDA);
  exported.save("on_card.pt");
  auto module = torch::jit::load("on_card.pt");  // expect: missing-map-location
  auto y = module.forward({torch::rand({1, 3})}).toTensor();
}
