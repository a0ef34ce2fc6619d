// The names are read from a file: a loop that ends with the first of its two conditions does not
// run its body once more.
#include <torch/torch.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

int main() {
  torch::nn::Linear net(4, 4);
  std::vector<torch::Tensor> values{torch::ones({4, 4}), torch::ones({4})};
  std::ofstream("lines_of_file_good.txt") << "weight\nbias\n";
  std::map<std::string, torch::Tensor> state;
  std::ifstream names("lines_of_file_good.txt");
  std::string key;
  for (size_t i = 0; i < values.size() && std::getline(names, key); ++i) state[key] = values[i];
  torch::NoGradGuard no_grad;
  auto parameters = net->named_parameters();
  for (const auto& entry : state) parameters[entry.first].copy_(entry.second);
}
