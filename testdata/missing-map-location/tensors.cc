// Tensors come back on the device that they were saved from.
#include <torch/torch.h>

#include <vector>

int main() {
  auto mean = torch::rand({3}, torch::kCUDA);
  torch::save(mean, "mean.pt");
  torch::Tensor loaded;
  torch::load(loaded, "mean.pt");  // expect: missing-map-location
  auto image = torch::rand({8, 3});
  auto centred = image - loaded;

  std::vector<torch::Tensor> statistics{torch::zeros({3}), torch::ones({3})};
  torch::save(statistics, "statistics.pt");
  std::vector<torch::Tensor> read;
  torch::load(read, "statistics.pt");  // expect-miss: missing-map-location
  auto scaled = torch::rand({8, 3}, torch::kCUDA) / read[1];
}
