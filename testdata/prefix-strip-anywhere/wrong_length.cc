// The prefix has seven letters.
#include <torch/torch.h>

#include <string>

std::string by_rfind(const std::string& key) {
  if (key.rfind("module.", 0) == 0) return key.substr(6);  // expect: prefix-strip-anywhere
  return key;
}

std::string by_compare(std::string key) {
  if (key.compare(0, 7, "module.") == 0) key = key.substr(8);  // expect: prefix-strip-anywhere
  return key;
}

std::string by_part(std::string key) {
  if (key.substr(0, 7) == "module.") key.erase(0, 6);  // expect: prefix-strip-anywhere
  return key;
}

std::string by_position(const std::string& key) {
  if (key.find("module") == 0) return key.substr(6);  // expect: prefix-strip-anywhere
  return key;
}

int main() {
  bool same = by_rfind("module.weight") == ".weight" && by_compare("module.weight") == "eight";
  torch::nn::Linear net(3, 2);
  for (const auto& entry : net->named_parameters()) {
    const std::string key = "module." + entry.key();
    same = same && by_part(key)[0] == '.' && by_position(key)[0] == '.';
  }
  return same ? 0 : 1;
}
