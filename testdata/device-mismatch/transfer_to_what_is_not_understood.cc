// A transfer to what a library returned may be one to another device.
#include <torch/torch.h>

#include <any>
#include <map>
#include <string>

int main() {
  std::map<std::string, std::any> settings;
  settings["device"] = torch::Device(torch::kCUDA);
  auto model = torch::nn::Linear(4, 2);
  model->to(torch::kCUDA);
  auto input = torch::rand({3, 4}).to(std::any_cast<torch::Device>(settings["device"]));
  model->forward(input);
  auto options = torch::TensorOptions(std::any_cast<torch::Device>(settings["device"]));
  model->forward(torch::rand({3, 4}, options));
  model->forward(torch::rand({3, 4}).to(torch::kFloat));  // expect: device-mismatch
}
