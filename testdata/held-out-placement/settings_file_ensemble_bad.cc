#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

// Ensemble: every member has its own device, taken from a list as in the settings file.

const char* const kSettings =
    "members = 2\n"
    "devices = cuda:0 , cuda:1\n"
    "hidden  = 12\n";

std::string setting(const std::string& key) {
  std::istringstream in(kSettings);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) == 0) {
      auto at = line.find('=');
      return line.substr(at + 2);
    }
  }
  return "";
}

std::vector<torch::Device> parse_devices(const std::string& list) {
  std::vector<torch::Device> devices;
  size_t begin = 0;
  while (begin < list.size()) {
    size_t end = list.find(',', begin);
    if (end == std::string::npos) end = list.size();
    std::string name = list.substr(begin, end - begin);
    devices.push_back(torch::Device(name)); // expect: invalid-device
    begin = end + 1;
  }
  return devices;
}

struct Member {
  torch::nn::Sequential net;
  torch::Device device;
};

int main() {
  torch::manual_seed(17);
  const int hidden = std::stoi(setting("hidden"));
  const auto devices = parse_devices(setting("devices"));

  std::vector<Member> ensemble;
  for (int i = 0; i < std::stoi(setting("members")); ++i) {
    const auto device = devices.at(i % devices.size());
    torch::nn::Sequential net(torch::nn::Linear(5, hidden), torch::nn::Tanh(),
                              torch::nn::Linear(hidden, 1));
    net->to(device);
    ensemble.push_back({net, device});
  }

  torch::NoGradGuard no_grad;
  auto x = torch::randn({4, 5});
  auto sum = torch::zeros({4, 1});
  for (auto& member : ensemble) sum += member.net->forward(x.to(member.device)).cpu();
  std::cout << sum / static_cast<double>(ensemble.size()) << std::endl;
}
