// By hand, letter by letter; and by a library that is not modelled.
#include <torch/torch.h>

#include <sstream>
#include <string>

std::string by_parts(const std::string& key) {
  std::istringstream parts(key);
  std::string result, part;
  while (std::getline(parts, part, '.')) {
    if (part == "module") continue;  // expect-miss: prefix-strip-anywhere
    result += (result.empty() ? "" : ".") + part;
  }
  return result;
}

int main() { return by_parts("module.first.module.weight") == "first.weight" ? 0 : 1; }
