#include <torch/torch.h>

#include <iostream>
#include <map>
#include <string>
#include <utility>

// A tiny model server: models live on different cards, features arrive from a shared extractor.

using Net = torch::nn::Sequential;

struct Entry {
  Net net;
  torch::Device device;
};

class ModelServer {
 public:
  void add(const std::string& name, Net net, torch::Device device) {
    net->to(device);
    net->eval();
    models_.emplace(name, Entry{std::move(net), device});
  }

  torch::Tensor predict(const std::string& name, torch::Tensor features) {
    Entry& entry = models_.at(name);
    if (!features.is_cuda()) {
      features = features.to(entry.device);
    }
    auto logits = entry.net->forward(features); // expect: device-mismatch
    return torch::softmax(logits, 1).cpu();
  }

 private:
  std::map<std::string, Entry> models_;
};

Net head(int64_t classes) {
  return Net(torch::nn::Linear(16, 8), torch::nn::ReLU(), torch::nn::Linear(8, classes));
}

int main() {
  torch::manual_seed(0);
  torch::NoGradGuard no_grad;

  torch::nn::Linear extractor(20, 16);
  extractor->to(torch::Device("cuda:0"));

  ModelServer server;
  server.add("topic", head(5), torch::Device("cuda:0"));
  server.add("sentiment", head(2), torch::Device("cuda:1"));

  auto request = torch::randn({3, 20});
  auto features = torch::tanh(extractor(request.to(torch::Device("cuda:0"))));

  for (const std::string name : {"topic", "sentiment"}) {
    auto p = server.predict(name, features);
    std::cout << name << "\n" << p << "\n";
  }
  return 0;
}
