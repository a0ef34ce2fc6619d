// The text of a device begins with what is written in it, whichever number follows.
#include <torch/torch.h>

#include <cstdlib>
#include <string>

int main() {
  const char* variable = std::getenv("LOCAL_RANK");
  const int rank = variable ? std::atoi(variable) : 0;
  const std::string name = "cuda:" + std::to_string(rank);
  const torch::Device device(name);
  torch::nn::Linear net(4, 4);
  net->to(device);

  auto compared = torch::zeros({2, 4});
  if (name != "cpu") compared = compared.to(device);
  net->forward(compared);

  auto found = torch::zeros({2, 4});
  if (name.find("cuda") != std::string::npos) found = found.to(device);
  net->forward(found);

  auto begins = torch::zeros({2, 4});
  if (name.rfind("cuda", 0) == 0) begins = begins.to(device);
  net->forward(begins);

  auto cut = torch::zeros({2, 4});
  if (name.substr(0, 4) == "cuda") cut = cut.to(device);
  net->forward(cut);

  auto lacks = torch::zeros({2, 4});
  if (name.find("cpu") == std::string::npos) lacks = lacks.to(device);
  net->forward(lacks);
}
