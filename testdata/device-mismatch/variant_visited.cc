// What a visitor is given by reference, it may move.
#include <torch/torch.h>

#include <map>
#include <string>
#include <variant>

using Field = std::variant<torch::Tensor, std::string>;

struct Mover {
  torch::Device device;
  void operator()(torch::Tensor& tensor) const { tensor = tensor.to(device); }
  void operator()(std::string&) const {}
};

int main() {
  torch::Device device(torch::kCUDA);
  std::map<std::string, Field> sample;
  sample["name"] = std::string("toy");
  sample["x"] = torch::rand({4});
  for (auto& [key, field] : sample) std::visit(Mover{device}, field);
  auto sum = std::get<torch::Tensor>(sample["x"]) + torch::rand({4}, device);
  return 0;
}
