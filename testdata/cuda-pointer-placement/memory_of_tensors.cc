// A tensor's memory is where the tensor is: of a device, the host cannot read it.
#include <torch/torch.h>

#include <cstring>
#include <vector>

float sum(const float* values, int64_t count) {
  float total = 0;
  for (int64_t i = 0; i < count; ++i) total += values[i];  // expect: cuda-pointer-placement
  return total;
}

float sum_of_copy(const torch::Tensor& tensor) {
  auto copy = tensor.to(torch::kCPU).contiguous();
  const float* values = copy.data_ptr<float>();
  return values[0] + values[1];
}

// A device without an index equals no tensor's: what is on the device is never copied.
std::vector<float> values_of(torch::Tensor scores) {
  if (scores.device() == torch::Device(torch::kCUDA)) scores = scores.cpu();
  const float* first = scores.data_ptr<float>();
  return std::vector<float>(first, first + scores.numel());  // expect: cuda-pointer-placement
}

int main() {
  torch::Device device(torch::kCUDA);
  values_of(torch::rand({8}, device));
  auto scores = torch::rand({8}, device);
  float total = sum_of_copy(scores);
  total += *scores.data_ptr<float>();  // expect: cuda-pointer-placement
  total += sum(scores.data_ptr<float>(), scores.numel());
  std::vector<float> copied(8);
  auto on_host = scores.cpu();
  std::memcpy(copied.data(), on_host.data_ptr<float>(), 8 * sizeof(float));
  on_host.data_ptr<float>()[0] = total;
  return 0;
}
