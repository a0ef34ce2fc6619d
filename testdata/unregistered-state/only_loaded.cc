// load() reads what is registered: the other layer keeps its random weights.
#include <torch/torch.h>

#include <string>

struct NetImpl : torch::nn::Module {
  NetImpl() : body(register_module("body", torch::nn::Linear(4, 4))), head(4, 2) {}
  torch::Tensor forward(torch::Tensor x) { return head(body(x)); }
  torch::nn::Linear body;
  torch::nn::Linear head;  // expect: unregistered-state
};
TORCH_MODULE(Net);

int main(int argc, char** argv) {
  Net trained, net;
  if (argc > 1) {
    torch::save(trained, std::string(argv[1]));
    torch::load(net, std::string(argv[1]));
    if (!torch::equal(net->head->weight, trained->head->weight))
      TORCH_WARN("the head was not loaded");  // shows: unregistered-state
  }
  auto y = net->forward(torch::rand({1, 4}));
}
