// A class whose member is a guard: the device that was current before is current behind it again.
#include <c10/core/DeviceGuard.h>
#include <torch/torch.h>

class DeviceScope {
 public:
  explicit DeviceScope(int index) { guard_.reset_device(torch::Device(torch::kCUDA, index)); }

 private:
  c10::OptionalDeviceGuard guard_;
};

int main() {
  DeviceScope scope(1);
  auto a = torch::ones({6, 6}, torch::kCUDA);
  {
    DeviceScope inner(0);
    a.to(torch::kCUDA).sum();
  }
  auto b = torch::ones({6, 6}, torch::kCUDA);
  a.mm(b);
}
