// A file that is written again holds what was written last; other names are other files.
#include <torch/torch.h>

#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(5, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

// While it trains the wrapper is saved, to go on later; when all is done, the net.
void train(int epochs, const std::string& path) {
  Net net;
  auto parallel = std::make_shared<DataParallel>(net);
  parallel->to(torch::Device(torch::kCUDA, 0));
  for (int epoch = 0; epoch < epochs; ++epoch) {
    parallel->forward(torch::rand({4, 5})).sum().backward();
    torch::save(parallel, path);
  }
  net->to(torch::kCPU);
  torch::save(net, path);
}

void two_files() {
  Net net, fresh, inner;
  auto parallel = std::make_shared<DataParallel>(net);
  torch::save(parallel, "wrapped.pt");
  torch::save(net, "bare.pt");
  auto again = std::make_shared<DataParallel>(inner);
  torch::load(fresh, "bare.pt");
  torch::load(again, "wrapped.pt");
}

// Another net's file does not fit for other reasons.
bool load_if_it_fits(torch::nn::Linear& net, const std::string& path) {
  try {
    torch::load(net, path);
  } catch (const c10::Error&) {
    return false;
  }
  return true;
}

int main() {
  train(2, "net.pt");
  Net deployed;
  torch::load(deployed, "net.pt");
  two_files();
  torch::nn::Linear other(5, 2);
  load_if_it_fits(other, "net.pt");
}
