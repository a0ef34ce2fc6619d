#include <torch/torch.h>

#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Continual learning: a shared trunk and one head a task; tasks arrive one after the other.

class MultiTaskNet : public torch::nn::Module {
 public:
  MultiTaskNet() {
    trunk_ = register_module("trunk", torch::nn::Linear(10, 12));
    heads_ = register_module("heads", torch::nn::ModuleDict());
  }

  void add_task(const std::string& task, int64_t classes) {
    std::vector<std::pair<std::string, std::shared_ptr<torch::nn::Module>>> heads;
    heads.emplace_back(task, torch::nn::Linear(12, classes).ptr());
    heads_->update(heads);
  }

  torch::Tensor forward(const torch::Tensor& x, const std::string& task) {
    auto shared = torch::relu(trunk_->forward(x));
    auto head = std::dynamic_pointer_cast<torch::nn::LinearImpl>((*heads_)[task]);
    return head->forward(shared); // expect: device-mismatch
  }

  bool knows(const std::string& task) const { return heads_->contains(task); }

 private:
  torch::nn::Linear trunk_{nullptr};
  torch::nn::ModuleDict heads_{nullptr};
};

struct Task {
  std::string name;
  int64_t classes;
};

void learn(MultiTaskNet& net, const Task& task, torch::Device device) {
  if (!net.knows(task.name)) net.add_task(task.name, task.classes);
  torch::optim::SGD optimizer(net.parameters(), 0.05);
  for (int step = 0; step < 3; ++step) {
    auto x = torch::randn({8, 10}, device);
    auto y = torch::randint(task.classes, {8}, torch::kLong).to(device);
    optimizer.zero_grad();
    auto loss = torch::nn::functional::cross_entropy(net.forward(x, task.name), y);
    loss.backward();
    optimizer.step();
    std::cout << task.name << " " << step << ": " << loss.item<float>() << std::endl;
  }
}

int main() {
  torch::manual_seed(47);
  const torch::Device device("cuda:1");
  MultiTaskNet net;
  net.add_task("digits", 10);
  net.add_task("letters", 26);
  net.to(device);

  for (const Task& task : {Task{"digits", 10}, Task{"letters", 26}, Task{"signs", 4}}) {
    learn(net, task, device);
  }

  std::map<std::string, int64_t> sizes;
  for (const auto& p : net.named_parameters()) sizes[p.key()] = p.value().numel();
  for (const auto& [name, count] : sizes) std::cout << name << " " << count << "\n";
  return 0;
}
