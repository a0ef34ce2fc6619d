#include <torch/torch.h>

#include <iostream>
#include <map>
#include <string>

namespace {

// key=value pairs, as they come from a small configuration text.
std::map<std::string, std::string> read_config(const std::string& text) {
  std::map<std::string, std::string> values;
  size_t begin = 0;
  while (begin < text.size()) {
    auto end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    const auto line = text.substr(begin, end - begin);
    const auto equal = line.find('=');
    if (equal != std::string::npos) values[line.substr(0, equal)] = line.substr(equal + 1);
    begin = end + 1;
  }
  return values;
}

// gpu=-1 is the default: any GPU.
constexpr const char* kDefaults = "hidden=16\ngpu=-1\nsteps=5\n";

struct Run {
  int64_t hidden;
  int gpu;
  int steps;

  explicit Run(const std::map<std::string, std::string>& c)
      : hidden(std::stol(c.at("hidden"))), gpu(std::stoi(c.at("gpu"))), steps(std::stoi(c.at("steps"))) {}

  torch::Device device() const {
    if (!torch::cuda::is_available()) return torch::kCPU;
    return torch::Device("cuda:" + std::to_string(gpu)); // expect: invalid-device
  }
};

torch::nn::Sequential make_model(int64_t hidden) {
  torch::nn::Sequential model;
  model->push_back(torch::nn::Linear(2, hidden));
  model->push_back(torch::nn::Functional(torch::tanh));
  model->push_back(torch::nn::Linear(hidden, 2));
  return model;
}

}  // namespace

int main() {
  const Run run(read_config(kDefaults));
  torch::manual_seed(0);
  const auto device = run.device();

  auto model = make_model(run.hidden);
  model->to(device);
  torch::optim::LBFGS optimizer(model->parameters(), torch::optim::LBFGSOptions(0.5).max_iter(4));

  auto x = torch::rand({40, 2}).to(device);
  auto labels = (x.pow(2).sum(1) > 0.5).to(torch::kLong);
  for (int step = 0; step < run.steps; ++step) {
    auto loss = optimizer.step([&]() {
      optimizer.zero_grad();
      auto value = torch::nn::functional::cross_entropy(model->forward(x), labels);
      value.backward();
      return value;
    });
    std::cout << "step " << step << " " << loss.item<float>() << std::endl;
  }
}
