// Heads by name, made on demand and never registered.
#include <torch/torch.h>

#include <map>
#include <string>

class MultiHead : public torch::nn::Module {
 public:
  MultiHead() { trunk_ = register_module("trunk", torch::nn::Linear(4, 8)); }
  void add_head(const std::string& name, int64_t classes) {
    heads_.emplace(name, torch::nn::Linear(8, classes));
  }
  torch::Tensor forward(torch::Tensor x, const std::string& name) {
    return heads_.at(name)->forward(trunk_->forward(x));
  }

 private:
  torch::nn::Linear trunk_{nullptr};
  std::map<std::string, torch::nn::Linear> heads_;  // expect: unregistered-state
};

int main() {
  MultiHead model;
  model.add_head("digits", 10);
  torch::optim::Adam optimizer(model.parameters(), 1e-3);
  if (model.parameters().size() < 4) TORCH_WARN("the head will not be trained");  // shows: unregistered-state
}
