// What a table has is found in it.
#include <torch/torch.h>

#include <map>
#include <string>

using Placement = std::map<std::string, torch::Device>;

struct NetImpl : torch::nn::Module {
  NetImpl() {
    features = register_module("features", torch::nn::Linear(4, 8));
    head = register_module("head", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return head(features(x)); }
  torch::nn::Linear features{nullptr}, head{nullptr};
};
TORCH_MODULE(Net);

void place(torch::nn::Module& net, const Placement& where) {
  for (const auto& child : net.named_children()) {
    auto found = where.find(child.key());
    if (found != where.end()) child.value()->to(found->second);
  }
}

int main() {
  const torch::Device gpu("cuda:0");
  const Placement where{{"features", gpu}, {"head", gpu}, {"net", gpu}};
  Net net;
  place(*net, where);
  net->forward(torch::rand({2, 4}, gpu));

  torch::nn::Linear found(4, 2), counted(4, 2);
  const auto entry = where.find("net");
  if (entry != where.end()) found->to(entry->second);
  found->forward(torch::rand({2, 4}, gpu));
  if (where.count("net")) counted->to(where.at("net"));
  counted->forward(torch::rand({2, 4}, gpu));
}
