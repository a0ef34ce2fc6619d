// Counted from where it was found.
#include <torch/torch.h>

#include <string>

std::string stripped(const std::string& key) {
  if (key.find("module.") == std::string::npos) return key;
  return key.substr(key.find("module.") + 6);  // expect: prefix-strip-anywhere
}

std::string stripped_in_two_steps(const std::string& key) {
  size_t at = key.find("module");
  if (at != std::string::npos) return key.substr(at + 6);  // expect: prefix-strip-anywhere
  return key;
}

int main() {
  const std::string key = "module.weight";
  if (stripped(key) != "weight") TORCH_WARN("became ", stripped(key));  // shows: prefix-strip-anywhere
  const std::string bare = stripped_in_two_steps(key);
  if (bare != "weight") TORCH_WARN("became ", bare);  // shows: prefix-strip-anywhere
}
