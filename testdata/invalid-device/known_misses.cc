// devices: 2
// What is not followed.
#include <torch/torch.h>

#include <array>
#include <iostream>
#include <sstream>

int main(int argc, char**) {
  std::ostringstream text;
  text << "gpu:" << argc;
  torch::Device streamed(text.str());  // expect: invalid-device
  char name[8];
  std::snprintf(name, sizeof name, "gpu%d", argc);
  torch::Device printed(name);  // expect-miss: invalid-device
  for (int i = 0; i < 4; ++i) {
    auto x = torch::zeros({2}, torch::Device(torch::kCUDA, i));  // expect: invalid-device
  }
}
