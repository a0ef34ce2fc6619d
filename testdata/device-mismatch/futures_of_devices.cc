// What a loop takes out of each future is where that task computed it.
#include <torch/torch.h>

#include <future>
#include <vector>

int main() {
  std::vector<std::future<torch::Tensor>> running;
  for (int i = 0; i < 2; ++i) {
    const torch::Device device(torch::kCUDA, static_cast<torch::DeviceIndex>(i));
    running.push_back(std::async(std::launch::async, [device] { return torch::ones({2}, device); }));
  }
  std::vector<torch::Tensor> parts;
  for (auto& task : running) parts.push_back(task.get());
  torch::cat(parts);  // expect: device-mismatch
  std::vector<torch::Tensor> on_host;
  for (auto& part : parts) on_host.push_back(part.cpu());
  torch::cat(on_host);
}
