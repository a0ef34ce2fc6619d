// Tested, and cut off by its own length, in every form.
#include <torch/torch.h>

#include <string>
#include <string_view>

std::string by_rfind(const std::string& key) {
  return key.rfind("module.", 0) == 0 ? key.substr(7) : key;
}
std::string by_constant(const std::string& key) {
  static const std::string kPrefix = "module.";
  if (key.compare(0, kPrefix.size(), kPrefix) == 0) return key.substr(kPrefix.size());
  return key;
}
std::string by_view(std::string_view key) {
  if (key.substr(0, 7) == "module.") key.remove_prefix(7);
  return std::string(key);
}
std::string in_place(std::string key) {
  if (key.find("module.") == 0) key.erase(0, 7);
  return key;
}
std::string by_part(std::string key) {
  if (key.substr(0, 7) == "module.") key.replace(0, 7, "");
  return key;
}
std::string without_dot(const std::string& key) {
  return key.find("module") == 0 ? key.substr(7) : key;
}

int main() {
  const std::string key = "module.submodule.weight", bare = "submodule.weight";
  bool same = by_rfind(key) == bare && by_constant(key) == bare && by_view(key) == bare;
  same = same && in_place(key) == bare && by_part(key) == bare && without_dot(key) == bare;
  return same ? 0 : 1;
}
