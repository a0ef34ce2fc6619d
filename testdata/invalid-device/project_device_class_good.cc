// Another class called Device, and texts that are no devices.
#include <torch/torch.h>

#include <string>

namespace render {
struct Device {
  explicit Device(const std::string& name) : name_(name) {}
  std::string name_;
};
}  // namespace render

torch::Tensor load(const std::string& path, torch::Device device) {
  torch::Tensor t;
  torch::load(t, path, device);
  return t;
}

int main() {
  render::Device gpu("gpu");
  auto x = load("gpu", torch::Device("cuda"));
}
