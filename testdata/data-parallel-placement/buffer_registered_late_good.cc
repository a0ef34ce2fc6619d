// Buffers keep their place when statistics are copied into them; what is moved last is moved whole.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct NormalizerImpl : torch::nn::Cloneable<NormalizerImpl> {
  NormalizerImpl() { reset(); }
  void reset() override {
    fc = register_module("fc", torch::nn::Linear(9, 2));
    mean = register_buffer("mean", torch::zeros({9}));
    deviation = register_buffer("deviation", torch::ones({9}));
  }
  void fit_to(const torch::Tensor& data) {
    mean.copy_(data.mean(0));
    deviation.copy_(data.std(0));
  }
  torch::Tensor forward(torch::Tensor x) { return fc((x - mean) / deviation); }

  torch::nn::Linear fc{nullptr};
  torch::Tensor mean, deviation;
};
TORCH_MODULE(Normalizer);

void copied_into() {
  torch::Tensor samples = torch::randn({64, 9});
  Normalizer net;
  net->to(torch::Device(torch::kCUDA, 0));
  net->fit_to(samples);
  DataParallel parallel(net, DeviceIds{0, 1});
  torch::Tensor output = parallel.forward(samples);
}

void moved_part_by_part() {
  torch::Tensor samples = torch::randn({64, 9});
  const torch::Device card(torch::kCUDA, 0);
  Normalizer net;
  net->fc->to(card);
  for (torch::Tensor* statistic : {&net->mean, &net->deviation})
    statistic->set_data(statistic->to(card));
  DataParallel parallel(net, DeviceIds{0, 1});
  parallel.forward(samples).sum().backward();
}

void moved_last() {
  torch::Tensor samples = torch::randn({64, 9});
  Normalizer net;
  net->fit_to(samples);
  net->to(torch::Device(torch::kCUDA, 0));
  DataParallel parallel(net, DeviceIds{0, 1});
  parallel.forward(samples).sum().backward();
}

int main() {
  copied_into();
  moved_part_by_part();
  moved_last();
}
