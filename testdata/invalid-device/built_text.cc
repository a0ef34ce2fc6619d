// Texts that are put together: no number makes these lawful.
#include <torch/torch.h>

#include <string>

int main(int argc, char** argv) {
  torch::Device by_type("gpu:" + std::to_string(argc));       // expect: invalid-device
  torch::Device by_blank("cuda: " + std::to_string(argc));    // expect: invalid-device
  torch::Device by_number("cuda" + std::to_string(argc));     // expect: invalid-device
  std::string name = "cuda";
  name += std::to_string(3);
  torch::Device appended(name);                               // expect: invalid-device
  std::string twice = std::string("cuda:") + "cuda:0";
  torch::Device doubled(twice);                               // expect: invalid-device
}
