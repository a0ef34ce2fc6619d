// The statistics of the data are registered as buffers when the net is on its card already.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct NormalizerImpl : torch::nn::Cloneable<NormalizerImpl> {
  NormalizerImpl() { reset(); }
  void reset() override { fc = register_module("fc", torch::nn::Linear(9, 2)); }
  void fit_to(const torch::Tensor& data) {
    mean = register_buffer("mean", data.mean(0));
    deviation = register_buffer("deviation", data.std(0));
  }
  torch::Tensor forward(torch::Tensor x) { return fc((x - mean) / deviation); }

  torch::nn::Linear fc{nullptr};
  torch::Tensor mean, deviation;
};
TORCH_MODULE(Normalizer);

int main() {
  torch::Tensor samples = torch::randn({64, 9});
  const torch::Device card(torch::kCUDA, 0);
  Normalizer net;
  net->to(card);
  net->fit_to(samples);
  DataParallel parallel(net, DeviceIds{0, 1});
  torch::Tensor output = parallel.forward(samples);  // expect: data-parallel-placement
  torch::Tensor loss = output.pow(2).mean();
  loss.backward();
}
