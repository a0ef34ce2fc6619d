#include <torch/torch.h>

#include <iostream>
#include <string>

// Utilities that ask a module where it lives.

torch::Device device_of(const torch::nn::Module& module) {
  auto parameters = module.parameters();
  TORCH_CHECK(!parameters.empty(), "module without parameters");
  return parameters.front().device();
}

bool on_one_device(const torch::nn::Module& module) {
  const auto device = device_of(module);
  for (const auto& p : module.parameters())
    if (p.device() != device) return false;
  for (const auto& b : module.buffers())
    if (b.device() != device) return false;
  return true;
}

class GatedUnit : public torch::nn::Module {
 public:
  GatedUnit(int64_t in, int64_t out) {
    value = register_module("value", torch::nn::Linear(in, out));
    gate = register_module("gate", torch::nn::Linear(in, out));
    norm = register_module("norm", torch::nn::BatchNorm1d(out));
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto h = value(x) * torch::sigmoid(gate(x));
    if (is_training()) {
      auto keep = torch::rand(h.sizes(), h.options()) > 0.1;
      h = torch::where(keep, h, torch::zeros_like(h));
    }
    return norm(h);
  }

  torch::nn::Linear value{nullptr}, gate{nullptr};
  torch::nn::BatchNorm1d norm{nullptr};
};

void report(const std::string& when, const GatedUnit& unit) {
  std::cout << when << ": " << device_of(unit) << (on_one_device(unit) ? "" : " (mixed)") << "\n";
}

int main() {
  torch::manual_seed(31);
  GatedUnit unit(7, 3);
  report("new", unit);

  for (int gpu = 0; gpu < 2; ++gpu) {
    unit.to(torch::Device(torch::kCUDA, gpu));
    report("moved", unit);

    torch::optim::SGD optimizer(unit.parameters(), 0.1);
    for (int i = 0; i < 3; ++i) {
      auto x = torch::randn({6, 7}).to(device_of(unit));
      auto target = x.new_ones({6, 3});
      auto loss = torch::l1_loss(unit.forward(x), target);
      unit.zero_grad(true);
      loss.backward();
      optimizer.step();
    }
    TORCH_CHECK(unit.value->weight.is_cuda() && unit.value->weight.get_device() == gpu);
  }
  std::cout << "done\n";
}
