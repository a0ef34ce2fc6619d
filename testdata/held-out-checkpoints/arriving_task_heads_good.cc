#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

// Continual learning: one shared trunk on the GPU, a new head for each task that arrives.

class MultiTask : public torch::nn::Module {
 public:
  MultiTask() {
    trunk_ = register_module("trunk", torch::nn::Linear(6, 12));
    heads_ = register_module("heads", torch::nn::ModuleDict());
  }

  void add_task(const std::string& name, int64_t classes) {
    torch::nn::Linear head(12, classes);
    head->to(trunk_->weight.device());
    torch::OrderedDict<std::string, std::shared_ptr<torch::nn::Module>> entry;
    entry.insert(name, head.ptr());
    heads_->update(entry);
  }

  torch::Tensor forward(const torch::Tensor& x, const std::string& task) {
    auto h = torch::relu(trunk_(x));
    return heads_[task]->as<torch::nn::LinearImpl>()->forward(h);
  }

  std::vector<torch::Tensor> parameters_of(const std::string& task) {
    auto result = trunk_->parameters();
    for (auto& p : heads_[task]->parameters()) result.push_back(p);
    return result;
  }

 private:
  torch::nn::Linear trunk_{nullptr};
  torch::nn::ModuleDict heads_{nullptr};
};

struct Task {
  const char* name;
  int64_t classes;
};

int main() {
  torch::manual_seed(29);
  const torch::Device device("cuda:0");
  MultiTask net;
  net.to(device);

  for (const Task& task : {Task{"colour", 3}, Task{"shape", 4}, Task{"size", 2}}) {
    net.add_task(task.name, task.classes);
    torch::optim::SGD sgd(net.parameters_of(task.name), 0.1);
    float loss_value = 0;
    for (int i = 0; i < 3; ++i) {
      auto x = torch::randn({8, 6}).to(device);
      auto y = torch::randint(0, task.classes, {8}, torch::kLong).to(device);
      sgd.zero_grad();
      auto loss = torch::nn::functional::cross_entropy(net.forward(x, task.name), y);
      loss.backward();
      sgd.step();
      loss_value = loss.item<float>();
    }
    std::cout << task.name << ": " << loss_value << "\n";
  }

  torch::NoGradGuard guard;
  net.eval();
  auto x = torch::randn({1, 6}, device);
  for (const char* name : {"colour", "shape", "size"}) {
    std::cout << name << " " << net.forward(x, name).argmax(1).item<int64_t>() << "\n";
  }
}
