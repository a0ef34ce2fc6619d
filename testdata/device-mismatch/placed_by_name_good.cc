// Modules are moved to the devices that a table gives their names.
// What one returns is moved to the next.
#include <torch/torch.h>

#include <map>
#include <string>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    features = register_module("features", torch::nn::Linear(4, 8));
    head = register_module("head", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = features(x).to(head->weight.device());
    return head(x);
  }
  torch::nn::Linear features{nullptr}, head{nullptr};
};
TORCH_MODULE(Net);

void place(torch::nn::Module& net, const std::map<std::string, torch::Device>& where) {
  for (const auto& child : net.named_children()) {
    auto found = where.find(child.key());
    if (found != where.end()) child.value()->to(found->second);
  }
}

int main() {
  const torch::Device first("cuda:0"), second("cuda:1");
  Net net;
  place(*net, {{"features", first}, {"head", second}});
  net->forward(torch::rand({2, 4}, first));
}
