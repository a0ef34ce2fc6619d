// arguments: 0 1 2
// A name of the bare model is asked of its wrapper.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    backbone = register_module("backbone", torch::nn::Linear(4, 4));
    head = register_module("head", torch::nn::Linear(4, 2));
  }
  torch::nn::Linear backbone{nullptr}, head{nullptr};
};
TORCH_MODULE(Net);

struct Wrapper : torch::nn::Module {
  explicit Wrapper(Net net) { module = register_module("module", net); }
  Net module{nullptr};
};

int main(int argc, char** argv) {
  auto wrapper = std::make_shared<Wrapper>(Net());
  if (argc == 1) {
    auto weight = wrapper->named_parameters()["head.weight"];  // expect: state-dict-prefix
  } else if (argc == 2) {
    auto backbone = wrapper->named_children()["backbone"];  // expect: state-dict-prefix
  }
  auto modules = wrapper->named_modules();
  auto head = modules["head"];  // expect: state-dict-prefix
}
