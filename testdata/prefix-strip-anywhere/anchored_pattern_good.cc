// A pattern that is bound to the beginning, or that replaces the first match only.
#include <torch/torch.h>

#include <regex>
#include <string>

std::string anchored(const std::string& key) {
  return std::regex_replace(key, std::regex("^module\\."), "");
}
std::string first(const std::string& key) {
  return std::regex_replace(key, std::regex("module\\."), "",
                            std::regex_constants::format_first_only);
}

int main() {
  const std::string key = "module.submodule.weight";
  return anchored(key) == "submodule.weight" && first(key) == "submodule.weight" ? 0 : 1;
}
