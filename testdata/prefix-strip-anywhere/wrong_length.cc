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
  torch::nn::Linear net(3, 2);
  for (const auto& entry : net->named_parameters()) {
    const std::string key = "module." + entry.key();
    if (by_rfind(key) != entry.key()) TORCH_WARN("became ", by_rfind(key));  // shows: prefix-strip-anywhere
    if (by_compare(key) != entry.key()) TORCH_WARN("became ", by_compare(key));  // shows: prefix-strip-anywhere
    if (by_part(key) != entry.key()) TORCH_WARN("became ", by_part(key));  // shows: prefix-strip-anywhere
    if (by_position(key) != entry.key()) TORCH_WARN("became ", by_position(key));  // shows: prefix-strip-anywhere
  }
}
