// As often as it stands at the beginning: a wrapper in a wrapper.
#include <torch/torch.h>

#include <string>

std::string stripped(std::string key) {
  while (key.rfind("module.", 0) == 0) key.erase(0, 7);
  while (key.find("module.") == 0) key = key.substr(7);
  return key;
}

int main() { return stripped("module.module.submodule.weight") == "submodule.weight" ? 0 : 1; }
