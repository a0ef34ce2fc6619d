#include <torch/torch.h>

#include <iostream>
#include <string>
#include <unordered_map>

// L2-SP: fine-tuning with a penalty for the distance from the pretrained weights. Biases and the
// new classifier are left out by their names.

class SoundNetImpl : public torch::nn::Module {
 public:
  explicit SoundNetImpl(int64_t classes) {
    encoder = register_module("encoder", torch::nn::Sequential(torch::nn::Linear(12, 10), torch::nn::ReLU(),
                                                               torch::nn::Linear(10, 10), torch::nn::ReLU()));
    classifier = register_module("classifier", torch::nn::Linear(10, classes));
  }
  torch::Tensor forward(torch::Tensor x) { return classifier(encoder->forward(x)); }

  torch::nn::Sequential encoder{nullptr};
  torch::nn::Linear classifier{nullptr};
};
TORCH_MODULE(SoundNet);

class StartingPoint {
 public:
  StartingPoint(const std::string& path, double strength) : strength_(strength) {
    SoundNet pretrained(20);
    torch::load(pretrained, path); // expect: missing-map-location
    for (const auto& p : pretrained->named_parameters()) {
      const std::string& name = p.key();
      if (name.rfind("classifier.", 0) == 0) continue;
      if (name.size() > 5 && name.compare(name.size() - 5, 5, ".bias") == 0) continue;
      start_[name] = p.value().detach();
    }
  }

  void initialize(torch::nn::Module& net) const {
    torch::NoGradGuard guard;
    for (auto& p : net.named_parameters()) {
      auto it = start_.find(p.key());
      if (it != start_.end()) p.value().copy_(it->second);
    }
  }

  torch::Tensor penalty(const torch::nn::Module& net) const {
    torch::Tensor sum = torch::zeros({}, net.parameters().front().device());
    auto parameters = net.named_parameters();
    for (const auto& [name, start] : start_) {
      sum = sum + (parameters[name] - start).pow(2).sum();
    }
    return strength_ * sum;
  }

 private:
  double strength_;
  std::unordered_map<std::string, torch::Tensor> start_;
};

int main() {
  torch::manual_seed(71);
  const std::string path = "/tmp/cc6_soundnet.pt";
  {
    SoundNet pretrained(20);
    torch::save(pretrained, path);
  }

  const torch::Device device(torch::kCUDA, 0);
  SoundNet net(4);
  StartingPoint start(path, 0.1);
  start.initialize(*net);
  net->to(device);
  torch::optim::SGD sgd(net->parameters(), 0.05);
  for (int epoch = 0; epoch < 3; ++epoch) {
    auto x = torch::randn({8, 12}, device);
    auto y = torch::randint(0, 4, {8}, torch::kLong).to(device);
    sgd.zero_grad();
    auto task_loss = torch::nn::functional::cross_entropy(net(x), y);
    auto loss = task_loss + start.penalty(*net);
    loss.backward();
    sgd.step();
    std::cout << "epoch " << epoch << " task " << task_loss.item<float>() << " all " << loss.item<float>() << "\n";
  }
}
