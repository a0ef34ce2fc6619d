// Every way in which a 0-dim tensor of the CPU and one of the GPU may meet.
#include <torch/torch.h>

int main() {
  torch::Device device(torch::kCUDA);
  auto loss = torch::rand({}, device);
  auto on_device = torch::zeros({}, device);
  on_device += loss;
  on_device += torch::tensor(0.5f);
  on_device.mul_(torch::tensor(2.0f));
  auto host = torch::zeros({});
  host += loss.cpu();
  host += loss.item<float>();
  host.copy_(loss);
  host.fill_(loss);
  host = host + loss;
  host += loss;
  torch::add_out(on_device, loss, torch::tensor(1.0f));
}
