// A function of the program's own tests for the prefix; the slice has another length.
#include <torch/torch.h>

#include <string>

const std::string kWrapper = "module.";

bool is_wrapped(const std::string& key) { return key.rfind(kWrapper, 0) == 0; }

std::string bare(const std::string& key) {
  return is_wrapped(key) ? key.substr(6) : key;  // expect: prefix-strip-anywhere
}

std::string bare_indeed(const std::string& key) { return is_wrapped(key) ? key.substr(7) : key; }

// The answer is about the other key.
std::string shortened(const std::string& key, const std::string& other) {
  if (is_wrapped(key)) return key.substr(7);
  if (is_wrapped(other)) return other.substr(7);
  return key.size() > 6 ? key.substr(6) : key;
}

int main() {
  const std::string key = "module.fc.weight";
  shortened("features.0.weight", "module.fc.bias");
  if (bare(key) != bare_indeed(key)) TORCH_WARN("became ", bare(key));  // shows: prefix-strip-anywhere
}
