// Over any table of tensors.
#include <torch/torch.h>

#include <map>
#include <string>

template <typename Table>
Table without_prefix(const Table& state) {
  Table result;
  for (const auto& [key, value] : state) {
    std::string name = key;
    for (size_t at = 0; (at = name.find("module.", at)) != std::string::npos;) {
      name.erase(at, std::string("module.").size());  // expect: prefix-strip-anywhere
    }
    result[name] = value;
  }
  return result;
}

int main() {
  std::map<std::string, torch::Tensor> state{{"module.submodule.weight", torch::rand({2, 2})}};
  auto bare = without_prefix(state);
  if (bare.count("submodule.weight") == 0) TORCH_WARN("the weight is missing");  // shows: prefix-strip-anywhere
}
