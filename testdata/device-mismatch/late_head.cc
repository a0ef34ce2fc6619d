// A head that is added to the ModuleDict after the model has moved.
#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct TasksImpl : torch::nn::Module {
  TasksImpl() {
    trunk = register_module("trunk", torch::nn::Linear(4, 8));
    heads = register_module("heads", torch::nn::ModuleDict());
    add("sum", 1);
  }
  void add(const std::string& task, int64_t outputs) {
    std::vector<std::pair<std::string, std::shared_ptr<torch::nn::Module>>> more;
    more.emplace_back(task, std::make_shared<torch::nn::LinearImpl>(8, outputs));
    heads->update(more);
  }
  torch::Tensor forward(const torch::Tensor& x, const std::string& task) {
    auto head = heads[task]->as<torch::nn::Linear>();
    return head->forward(trunk(x));  // expect: device-mismatch
  }
  torch::nn::Linear trunk{nullptr};
  torch::nn::ModuleDict heads{nullptr};
};
TORCH_MODULE(Tasks);

int main() {
  Tasks net;
  net->add("norm", 1);
  net->to(torch::kCUDA);
  torch::Tensor x = torch::rand({2, 4}, torch::kCUDA);
  for (const std::string& task : net->heads->keys()) std::cout << net->forward(x, task) << "\n";
  net->add("range", 2);
  std::cout << net->forward(x, "range") << "\n";
}
