#include <torch/torch.h>

#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <string>

// Partial load: takes over every tensor that fits by name and shape; the head is new.

class Classifier : public torch::nn::Module {
 public:
  explicit Classifier(int64_t classes) : body(torch::nn::Linear(7, 14), torch::nn::ReLU(), torch::nn::BatchNorm1d(14)), head(14, classes) {
    register_module("body", body);
    register_module("head", head);
  }

  torch::Tensor forward(const torch::Tensor& x) { return head->forward(body->forward(x)); }

  void reset_head(int64_t classes) {
    auto device = head->weight.device();
    head = replace_module("head", torch::nn::Linear(14, classes));
    head->to(device);
  }

  torch::nn::Sequential body;
  torch::nn::Linear head;
};

std::set<std::string> copy_matching(const torch::nn::Module& from, torch::nn::Module& to) {
  torch::NoGradGuard guard;
  std::set<std::string> skipped;
  auto source = from.named_parameters();
  source.update(from.named_buffers());
  auto copy = [&](const std::string& name, torch::Tensor& target) {
    const torch::Tensor* value = source.find(name);
    if (value && value->sizes() == target.sizes()) {
      target.copy_(*value);
    } else {
      skipped.insert(name);
    }
  };
  for (auto& p : to.named_parameters()) copy(p.key(), p.value());
  for (auto& b : to.named_buffers()) copy(b.key(), b.value());
  return skipped;
}

float epoch(Classifier& net, torch::optim::Optimizer& optimizer, torch::Device device, int64_t classes) {
  auto x = torch::randn({10, 7}, device);
  auto y = torch::randint(0, classes, {10}, torch::kLong).to(device);
  auto loss = torch::nn::functional::cross_entropy(net.forward(x), y);
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
  return loss.item<float>();
}

int main() {
  torch::manual_seed(79);
  const torch::Device device(torch::kCUDA, 1);

  auto big = std::make_shared<Classifier>(20);
  std::stringstream file;
  torch::save(big, file);

  auto source = std::make_shared<Classifier>(20);
  torch::load(source, file);
  Classifier small(5);
  small.to(device);
  for (const auto& name : copy_matching(*source, small)) std::cout << "kept new " << name << "\n";

  {
    torch::optim::SGD sgd(small.parameters(), 0.1);
    for (int i = 0; i < 2; ++i) std::cout << "five classes " << epoch(small, sgd, device, 5) << "\n";
  }
  small.reset_head(2);
  torch::optim::SGD sgd(small.parameters(), 0.1);
  for (int i = 0; i < 2; ++i) std::cout << "two classes " << epoch(small, sgd, device, 2) << "\n";
}
