// What is read from a stream is moved, or read onto the device where it is used.
#include <torch/torch.h>

#include <fstream>
#include <sstream>
#include <string>

void moved(const torch::Tensor& batch) {
  std::stringstream stream;
  torch::save(torch::zeros({4}), stream);
  torch::Tensor mean;
  torch::load(mean, stream);
  auto centred = batch - mean.to(batch.device());
}

void read_onto_device(const torch::Tensor& batch, const std::string& path) {
  {
    std::ofstream out(path, std::ios::binary);
    torch::save(torch::zeros({4}), out);
  }
  std::ifstream in(path, std::ios::binary);
  torch::Tensor mean;
  torch::load(mean, in, batch.device());
  auto centred = batch - mean;
}

// The stream is used again, for a tensor of the GPU.
void used_again(const torch::Tensor& batch) {
  std::stringstream stream;
  torch::save(torch::zeros({4}), stream);
  stream.str("");
  torch::save(torch::zeros({4}, torch::kCUDA), stream);
  torch::Tensor mean;
  torch::load(mean, stream);
  auto centred = batch - mean;
}

int main() {
  const auto batch = torch::rand({8, 4}, torch::kCUDA);
  moved(batch);
  read_onto_device(batch, "streams_good.pt");
  used_again(batch);
}
