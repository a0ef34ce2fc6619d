// Every way to register is enough.
#include <torch/torch.h>

#include <string>
#include <vector>

#define REGISTER(member, module) member = register_module(#member, module)

struct Base : torch::nn::Module {
  torch::nn::Linear shared{nullptr};
};

struct Registered : Base {
  Registered()
      : in_list(register_module("in_list", torch::nn::Linear(2, 2))), made(2, 2), renamed(2, 2) {
    register_module("made", made);
    alias = renamed;
    register_module("another_name", renamed);
    assigned = register_module("assigned", torch::nn::Linear(2, 2));
    REGISTER(by_macro, torch::nn::Linear(2, 2));
    build();
    shared = register_module("shared", torch::nn::Linear(2, 2));
    for (int i = 0; i < 2; ++i) {
      pushed.push_back(register_module("pushed" + std::to_string(i), torch::nn::Linear(2, 2)));
      later.push_back(torch::nn::Linear(2, 2));
      register_module("later" + std::to_string(i), later.back());
      auto layer = torch::nn::Linear(2, 2);
      register_module("local" + std::to_string(i), layer);
      locals.emplace_back(layer);
      tables.push_back(register_buffer("table" + std::to_string(i), torch::ones({2})));
    }
    listed->push_back(torch::nn::Linear(2, 2));
    register_module("listed", listed);
    sequence = torch::nn::Sequential(torch::nn::Linear(2, 2), torch::nn::ReLU());
    register_module("sequence", sequence);
    weight = register_parameter("weight", torch::rand({2}));
    bias = torch::zeros({2}, torch::requires_grad());
    register_parameter("bias", bias);
    steps = register_buffer("steps", torch::zeros({1}));
    child = std::make_shared<torch::nn::LinearImpl>(2, 2);
    register_module("child", child);
  }
  void build() { in_helper = register_module("in_helper", torch::nn::Linear(2, 2)); }

  torch::nn::Linear in_list, made, renamed;
  torch::nn::Linear alias{nullptr}, assigned{nullptr}, by_macro{nullptr}, in_helper{nullptr};
  std::vector<torch::nn::Linear> pushed, later, locals;
  torch::nn::ModuleList listed;
  torch::nn::Sequential sequence{nullptr};
  torch::Tensor weight, bias, steps;
  std::vector<torch::Tensor> tables;
  std::shared_ptr<torch::nn::LinearImpl> child;
};

struct ResetImpl : torch::nn::Cloneable<ResetImpl> {
  ResetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(2, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Reset);

int main() {
  auto net = std::make_shared<Registered>();
  net->to(torch::kCUDA);
  net->eval();
  Reset reset;
  reset->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  torch::save(reset, "registered.pt");
}
