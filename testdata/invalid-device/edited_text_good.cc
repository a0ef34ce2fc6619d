// Texts that are edited in place become lawful.
#include <torch/torch.h>

#include <algorithm>
#include <cctype>
#include <string>

int main() {
  std::string lower = "CUDA:0";
  for (auto& letter : lower) letter = static_cast<char>(std::tolower(letter));
  torch::Device by_loop(lower);

  std::string transformed = "CPU";
  std::transform(transformed.begin(), transformed.end(), transformed.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  torch::Device by_algorithm(transformed);

  std::string corrected = "cudb";
  corrected[3] = 'a';
  torch::Device by_letter(corrected);

  std::string shortened = "cpu ";
  if (shortened.back() == ' ') shortened.pop_back();
  torch::Device by_end(shortened);
  return 0;
}
