// Heads of a ModuleDict that are added before the model moves, or are moved when they are added.
#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>

struct TasksImpl : torch::nn::Module {
  TasksImpl() {
    trunk = register_module("trunk", torch::nn::Linear(4, 8));
    torch::OrderedDict<std::string, std::shared_ptr<torch::nn::Module>> first;
    first.insert("sum", torch::nn::Linear(8, 1).ptr());
    heads = register_module("heads", torch::nn::ModuleDict(first));
  }
  void add(const std::string& task, int64_t outputs, torch::Device device) {
    if (heads->contains(task)) return;
    auto head = std::make_shared<torch::nn::LinearImpl>(8, outputs);
    head->to(device);
    torch::OrderedDict<std::string, std::shared_ptr<torch::nn::Module>> more;
    more.insert(task, head);
    heads->update(more);
  }
  torch::Tensor forward(const torch::Tensor& x) {
    torch::Tensor hidden = trunk(x), sum;
    for (const auto& entry : heads->items()) {
      torch::Tensor part = entry.second->as<torch::nn::Linear>()->forward(hidden).sum();
      sum = sum.defined() ? sum + part : part;
    }
    return sum;
  }
  torch::nn::Linear trunk{nullptr};
  torch::nn::ModuleDict heads{nullptr};
};
TORCH_MODULE(Tasks);

int main() {
  Tasks net;
  net->add("norm", 1, torch::kCPU);
  net->to(torch::kCUDA);
  torch::Tensor x = torch::rand({2, 4}, torch::kCUDA);
  std::cout << net->forward(x) << "\n";
  net->add("range", 2, torch::kCUDA);
  std::cout << net->forward(x) << "\n";
}
