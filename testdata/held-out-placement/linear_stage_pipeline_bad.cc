#include <torch/torch.h>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Settings {
  std::string devices = "cuda:0, cuda:1";
  int64_t batch_size = 12;
  int steps = 4;
};

// "a,b,c" -> devices a, b and c
std::vector<torch::Device> parse_devices(const std::string& text) {
  std::vector<torch::Device> devices;
  std::stringstream stream(text);
  std::string item;
  while (std::getline(stream, item, ',')) {
    devices.emplace_back(item); // expect: invalid-device
  }
  return devices;
}

// A pipeline of linear stages, one per device.
class Pipeline : public torch::nn::Module {
 public:
  explicit Pipeline(const std::vector<torch::Device>& devices) : devices_(devices) {
    for (size_t i = 0; i < devices.size(); ++i) {
      auto stage = torch::nn::Linear(16, 16);
      stage->to(devices[i]);
      stages_.push_back(register_module("stage" + std::to_string(i), stage));
    }
  }

  torch::Tensor forward(torch::Tensor x) {
    for (size_t i = 0; i < stages_.size(); ++i) {
      x = torch::relu(stages_[i]->forward(x.to(devices_[i])));
    }
    return x;
  }

 private:
  std::vector<torch::Device> devices_;
  std::vector<torch::nn::Linear> stages_;
};

int main() {
  Settings settings;
  auto devices = parse_devices(settings.devices);
  std::cout << devices.size() << " devices\n";

  Pipeline pipeline(devices);
  torch::optim::SGD optimizer(pipeline.parameters(), 1e-2);
  for (int i = 0; i < settings.steps; ++i) {
    auto x = torch::rand({settings.batch_size, 16});
    auto y = pipeline.forward(x);
    auto loss = (y - x.to(y.device())).pow(2).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "loss " << loss.item<float>() << "\n";
  }
}
