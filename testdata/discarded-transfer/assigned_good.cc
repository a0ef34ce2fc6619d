// Members, elements, several at once: each takes the result.
#include <torch/torch.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>

struct Sample {
  torch::Tensor image, mask;

  void move_to(torch::Device device) {
    image = image.to(device);
    std::tie(image, mask) = std::make_tuple(image.to(device), mask.to(device));
  }
};

std::pair<torch::Tensor, torch::Tensor> both(const Sample& sample, torch::Device device) {
  return {sample.image.to(device), sample.mask.to(device)};
}

int main() {
  torch::Device device(torch::kCUDA);
  Sample sample{torch::rand({3, 4}), torch::ones({3, 4})};
  auto [image, mask] = both(sample, device);
  sample.move_to(device);
  std::map<std::string, torch::Tensor> table{{"image", torch::rand({3, 4})}};
  for (auto& [name, tensor] : table) tensor = tensor.to(device);
  auto sum = image * mask + sample.image * sample.mask + table["image"];
}
