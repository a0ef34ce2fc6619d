// A text of digits alone is given its type; what is found out of its letters decides that.
#include <torch/torch.h>

#include <algorithm>
#include <cctype>
#include <string>

torch::Device device_of(const std::string& id) {
  const bool is_number = !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::isdigit(c) != 0;
  });
  return torch::Device(is_number ? "cuda:" + id : id);
}

int main() {
  torch::ones({2}, device_of("1"));
  torch::ones({2}, device_of("cuda:1"));
}
