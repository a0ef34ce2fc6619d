// Caches whose keys name the device as well, or whose entries are moved where they are used.
#include <torch/torch.h>

#include <iostream>
#include <map>
#include <string>
#include <utility>

torch::Tensor of_device(int64_t length, torch::Device device) {
  static std::map<std::pair<int64_t, int>, torch::Tensor> masks;
  const auto key = std::make_pair(length, static_cast<int>(device.index()));
  auto known = masks.find(key);
  if (known == masks.end())
    known = masks.emplace(key, torch::ones({length, length}, device).tril()).first;
  return known->second;
}

torch::Tensor by_text(int64_t length, torch::Device device) {
  static std::map<std::string, torch::Tensor> masks;
  const std::string key = std::to_string(length) + "@" + device.str();
  if (masks.count(key) == 0) masks[key] = torch::ones({length, length}, device).tril();
  return masks.at(key);
}

torch::Tensor moved(int64_t length, torch::Device device) {
  static std::map<int64_t, torch::Tensor> masks;
  auto known = masks.find(length);
  if (known == masks.end()) known = masks.emplace(length, torch::ones({length, length})).first;
  return known->second.to(device);
}

torch::Tensor checked(int64_t length, torch::Device device) {
  static std::map<int64_t, torch::Tensor> masks;
  auto known = masks.find(length);
  if (known == masks.end() || known->second.device() != device)
    masks[length] = torch::ones({length, length}, device).tril();
  return masks[length];
}

int main() {
  for (int gpu : {0, 1}) {
    torch::Tensor scores = torch::rand({6, 6}, torch::Device(torch::kCUDA, gpu));
    const int64_t length = scores.size(0);
    std::cout << scores * of_device(length, scores.device());
    std::cout << scores * by_text(length, scores.device());
    std::cout << scores * moved(length, scores.device());
    std::cout << scores * checked(length, scores.device());
  }
}
