// The server averages what its clients send, by name; each client wraps its own copy of the net.
#include <torch/torch.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

using Update = torch::OrderedDict<std::string, torch::Tensor>;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(5, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

class Client {
 public:
  Client() : parallel_(std::make_shared<DataParallel>(net_)) {
    parallel_->to(torch::Device(torch::kCUDA, 0));
  }
  Update train() {
    parallel_->forward(torch::rand({8, 5})).sum().backward();
    return parallel_->named_parameters();
  }

 private:
  Net net_;
  std::shared_ptr<DataParallel> parallel_;
};

void blend(Net& global, const Update& update, double weight) {
  torch::NoGradGuard no_grad;
  for (auto& entry : global->named_parameters()) {
    if (!update.contains(entry.key())) {  // expect: state-dict-silent-miss
      continue;
    }
    entry.value().mul_(1 - weight).add_(update[entry.key()].cpu(), weight);
  }
}

int main() {
  Net global;
  const torch::Tensor before = global->fc->weight.clone();
  std::vector<Client> clients(3);
  for (Client& client : clients) blend(global, client.train(), 0.25);
  if (torch::equal(global->fc->weight, before)) TORCH_WARN("no update arrived");  // shows: state-dict-silent-miss
}
