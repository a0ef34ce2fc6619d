#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <vector>

#include "runtime/torch/data_parallel.h"

class DeepSetImpl : public torch::nn::Cloneable<DeepSetImpl> {
 public:
  explicit DeepSetImpl(int64_t width) : width_(width) { reset(); }

  void reset() override {
    phi_ = register_module("phi", torch::nn::Linear(3, width_));
    rho_ = register_module("rho", torch::nn::Linear(width_, 1));
  }

  // [batch, elements, 3] -> [batch]
  torch::Tensor forward(torch::Tensor sets) {
    auto elements = torch::relu(phi_(sets));
    return rho_(elements.sum(1)).squeeze(-1);
  }

 private:
  int64_t width_;
  torch::nn::Linear phi_{nullptr}, rho_{nullptr};
};

// The defaults of our cluster: one job, one GPU.
static void cluster_environment() {
  setenv("OMP_NUM_THREADS", "1", 1);
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);
}

int main() {
  cluster_environment();
  torch::manual_seed(12);

  const std::vector<int> gpus = {0, 1};
  auto model = std::make_shared<DeepSetImpl>(16);
  model->to(torch::Device(torch::kCUDA, gpus.front()));
  placecheck::parallel::DataParallel parallel(model, gpus); // expect: invalid-device

  torch::optim::SGD optimizer(parallel.parameters(), 1e-3);
  for (int step = 0; step < 5; ++step) {
    auto sets = torch::randn({8, 6, 3});
    auto wanted = std::get<0>(sets.select(2, 0).max(1)).to(torch::Device("cuda:0"));
    auto loss = torch::mse_loss(parallel.forward(sets), wanted);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << std::endl;
  }
  return 0;
}
