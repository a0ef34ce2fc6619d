// What is given to the function is wrapped already; it wraps again, and all keys begin with
// "module.module.".
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    blocks = register_module("blocks", torch::nn::ModuleList());
    for (int i = 0; i < 3; ++i) blocks->push_back(torch::nn::Linear(5, 5));
  }
  torch::Tensor forward(torch::Tensor x) {
    for (size_t i = 0; i < blocks->size(); ++i) {
      x = torch::relu(blocks->ptr<torch::nn::LinearImpl>(i)->forward(x));
    }
    return x;
  }
  torch::nn::ModuleList blocks{nullptr};
};
TORCH_MODULE(Net);

std::shared_ptr<DataParallel> make_model() { return std::make_shared<DataParallel>(Net()); }

void train_and_save(const std::shared_ptr<DataParallel>& model, const char* path) {
  auto parallel = std::make_shared<DataParallel>(model, placecheck::parallel::DeviceIds{0, 1});
  parallel->train();
  torch::save(parallel, path);
}

int main() {
  train_and_save(make_model(), "twice.pt");
  auto model = make_model();
  torch::load(model, "twice.pt");  // expect: state-dict-prefix
}
