// A class whose member is a guard: what is made behind it is on the device of before.
#include <c10/core/DeviceGuard.h>
#include <torch/torch.h>

class DeviceScope {
 public:
  explicit DeviceScope(int index) { guard_.reset_device(torch::Device(torch::kCUDA, index)); }

 private:
  c10::OptionalDeviceGuard guard_;
};

int main() {
  torch::Tensor a;
  {
    DeviceScope scope(1);
    a = torch::ones({6, 6}, torch::kCUDA);
  }
  a.mm(torch::ones({6, 6}, torch::kCUDA));  // expect: device-mismatch
}
