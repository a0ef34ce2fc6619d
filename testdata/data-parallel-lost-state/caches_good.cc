// A cache of replicas: it is made anew where it is not there.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

#include <vector>

struct BandImpl : torch::nn::Cloneable<BandImpl> {
  BandImpl() { reset(); }
  void reset() override {
    weight = register_parameter("weight", torch::rand({4, 4}));
    cached = torch::Tensor();
  }
  torch::Tensor forward(const torch::Tensor& x) {
    auto band = weight.triu();
    if (!is_training()) {
      if (!cached.defined()) cached = band.detach();
      band = cached;
    }
    return torch::matmul(x, band);
  }
  torch::Tensor weight, cached;
};
TORCH_MODULE(Band);

int main() {
  const std::vector<torch::Device> devices{torch::Device("cuda:0"), torch::Device("cuda:1")};
  Band band;
  band->to(devices[0]);
  auto output = torch::nn::parallel::data_parallel(band, torch::rand({8, 4}, devices[0]), devices);
  output.sum().backward();
}
