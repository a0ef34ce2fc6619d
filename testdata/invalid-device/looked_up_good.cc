// A user's word for a device is looked up in a table.
#include <torch/torch.h>

#include <map>
#include <string>

torch::Device pick(const std::string& word) {
  static const std::map<std::string, std::string> names = {{"gpu", "cuda:0"}, {"host", "cpu"}};
  auto known = names.find(word);
  return torch::Device(known == names.end() ? word : known->second);
}

int main() {
  torch::nn::Linear net(4, 2);
  net->to(pick("gpu"));
  net->forward(torch::ones({3, 4}, pick("gpu")));
}
