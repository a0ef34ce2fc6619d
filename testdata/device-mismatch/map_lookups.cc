// What a table does not have is not found in it.
#include <torch/torch.h>

#include <map>
#include <string>

int main() {
  const torch::Device gpu("cuda:0");
  const std::map<std::string, torch::Device> where{{"encoder", gpu}};
  torch::nn::Linear decoder(4, 2), counted(4, 2);
  const auto entry = where.find("decoder");
  if (entry != where.end()) decoder->to(entry->second);
  decoder->forward(torch::rand({2, 4}, gpu));  // expect: device-mismatch
  if (where.count("decoder") == 1) counted->to(where.at("decoder"));
  counted->forward(torch::rand({2, 4}, gpu));  // expect: device-mismatch
}
