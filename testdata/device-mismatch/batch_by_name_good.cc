// What is moved is decided by the names in a batch; modules are told apart by their addresses.
#include <torch/torch.h>

#include <map>
#include <memory>
#include <string>

using Batch = std::map<std::string, torch::Tensor>;

template <typename Function>
Batch transformed(Batch batch, Function function) {
  for (auto& entry : batch) entry.second = function(entry.first, entry.second);
  return batch;
}

struct Halves : torch::nn::Module {
  Halves() {
    stem = register_module("stem", torch::nn::Linear(4, 8));
    head = register_module("head", torch::nn::Linear(8, 2));
  }
  void place(torch::Device first, torch::Device last) {
    for (auto& each : children()) each->to(each.get() == stem.get() ? first : last);
  }
  torch::Tensor forward(torch::Tensor x) { return head(stem(x).to(head->weight.device())); }
  torch::nn::Linear stem{nullptr}, head{nullptr};
};

int main() {
  const torch::Device first("cuda:0"), last("cuda:1");
  auto net = std::make_shared<Halves>();
  net->place(first, last);
  for (int step = 0; step < 2; ++step) {
    Batch batch;
    batch["input"] = torch::rand({2, 4});
    batch["host_number"] = torch::arange(2);
    batch = transformed(batch, [&](const std::string& name, const torch::Tensor& tensor) {
      return name.rfind("host_", 0) == 0 ? tensor : tensor.to(first);
    });
    auto best = net->forward(batch.at("input")).argmax(1).cpu();
    torch::stack({batch.at("host_number"), best});
  }
}
