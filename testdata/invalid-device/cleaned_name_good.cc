// The name is built of the letters that are no blanks: some are.
#include <torch/torch.h>

#include <cctype>
#include <string>

std::string without_blanks(const std::string& text) {
  std::string result;
  for (unsigned char letter : text)
    if (!std::isspace(letter)) result += static_cast<char>(std::tolower(letter));
  return result;
}

int main() {
  for (const char* name : {" CUDA:0", "cpu "}) {
    torch::Device device(without_blanks(name));
    torch::zeros({2}, device);
  }
}
