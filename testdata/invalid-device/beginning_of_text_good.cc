// Only names that begin so are rewritten.
#include <torch/torch.h>

#include <string>

torch::Device parse(std::string name) {
  if (name == "auto") name = torch::cuda::is_available() ? "cuda:0" : "cpu";
  if (name.compare(0, 3, "gpu") == 0) name = "cuda" + name.substr(3);
  return torch::Device(name);
}

int main() {
  auto fixed = parse("gpu:1");
  auto chosen = parse("auto");
}
