// How many devices were listed is asked where the model moves, and again in each step.
#include <torch/torch.h>

#include <cstdlib>
#include <vector>

torch::Tensor run(torch::nn::Linear& model, const torch::Tensor& batch,
                  const std::vector<torch::Device>& devices) {
  if (devices.empty()) return model->forward(batch);
  if (devices.size() == 1) return model->forward(batch.to(devices.front()));
  return model->forward(batch.to(devices[0]));
}

int main(int argc, char** argv) {
  const int wanted = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<torch::Device> devices;
  for (int i = 0; i < wanted && i < static_cast<int>(torch::cuda::device_count()); ++i)
    devices.emplace_back(torch::kCUDA, static_cast<torch::DeviceIndex>(i));
  torch::nn::Linear model(3, 3);
  if (!devices.empty()) model->to(devices.front());
  for (int step = 0; step < 10; ++step) {
    auto batch = torch::rand({4, 3});
    auto loss = run(model, batch, devices).sum();
    loss.backward();
  }
}
