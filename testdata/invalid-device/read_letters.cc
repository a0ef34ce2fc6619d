// To read a text's letters changes nothing.
#include <torch/torch.h>

#include <string>

int main() {
  std::string name = "gpu:0";
  int digits = 0;
  for (char letter : name) digits += letter >= '0' && letter <= '9';
  if (name[0] == 'g' && name.back() == '0' && digits == 1) {
    torch::Device device(name);  // expect: invalid-device
  }
  return 0;
}
