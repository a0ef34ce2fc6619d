// Occurrences are counted, not removed.
#include <torch/torch.h>

#include <string>

int depth(const std::string& key) {
  int count = 0;
  for (size_t at = key.find("module."); at != std::string::npos; at = key.find("module.", at + 7))
    ++count;
  return count;
}

int main() { return depth("module.module.weight") == 2 ? 0 : 1; }
