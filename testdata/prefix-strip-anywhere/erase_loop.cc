// One occurrence after the other is erased.
#include <torch/torch.h>

#include <string>

std::string stripped(std::string key) {
  size_t at;
  while ((at = key.find("module.")) != std::string::npos) {
    key.erase(at, 7);  // expect: prefix-strip-anywhere
  }
  return key;
}

std::string stripped_by_for(std::string key) {
  const std::string prefix = "module.";
  for (size_t at = key.find(prefix); at != std::string::npos; at = key.find(prefix, at)) {
    key.erase(at, prefix.size());  // expect: prefix-strip-anywhere
  }
  return key;
}

int main() {
  const std::string key = "module.submodule.weight";
  if (stripped(key) != "submodule.weight") TORCH_WARN("became ", stripped(key));  // shows: prefix-strip-anywhere
  const std::string bare = stripped_by_for(key);
  if (bare != "submodule.weight") TORCH_WARN("became ", bare);  // shows: prefix-strip-anywhere
}
