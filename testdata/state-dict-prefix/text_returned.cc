// A checkpoint that a function returns as text.
#include <torch/torch.h>

#include <sstream>
#include <string>

struct NetImpl : torch::nn::Module {
  NetImpl() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

struct WrapperImpl : torch::nn::Module {
  explicit WrapperImpl(Net net) : module(register_module("module", net)) {}
  Net module;
};
TORCH_MODULE(Wrapper);

template <class Holder>
std::string bytes_of(const Holder& holder) {
  std::ostringstream stream;
  torch::save(holder, stream);
  return stream.str();
}

int main() {
  Net net;
  Wrapper wrapper(net);
  const std::string bare = bytes_of(net);
  const std::string wrapped = bytes_of(wrapper);
  std::istringstream first(bare), second(wrapped);
  Net server;
  torch::load(server, first);
  torch::load(server, second);  // expect: state-dict-prefix
}
