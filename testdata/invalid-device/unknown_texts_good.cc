// What the user chooses is lawful until shown otherwise.
#include <torch/torch.h>

#include <iostream>
#include <string>

torch::Device parse(const std::string& text) { return torch::Device(text); }

int main(int argc, char** argv) {
  torch::Device a = parse(argc > 1 ? argv[1] : "cuda");
  torch::Device b("cuda:" + std::to_string(argc));
  torch::Device c(std::string("cuda") + (argc > 2 ? ":1" : ""));
  std::string name = "cuda:";
  name += std::to_string(argc - 1);
  torch::Device d(name);
  std::string changed = "gpu";
  changed.replace(0, 3, "cuda");
  torch::Device e(changed);
  std::string lower = "CUDA";
  for (char& letter : lower) letter = static_cast<char>(std::tolower(letter));
  std::cout << a << b << c << d << e;
}
