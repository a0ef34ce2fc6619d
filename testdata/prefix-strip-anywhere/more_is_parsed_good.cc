// What follows the prefix is taken apart.
#include <torch/torch.h>

#include <string>

int layer_of(const std::string& key) {
  if (key.rfind("module.", 0) != 0) return -1;
  std::string rest = key.substr(7);
  std::string number = key.substr(13, 2);
  std::string tail = key.substr(16);
  return std::stoi(number) + static_cast<int>(rest.size() + tail.size());
}

int main() { return layer_of("module.layer12.weight") == 28 ? 0 : 1; }
