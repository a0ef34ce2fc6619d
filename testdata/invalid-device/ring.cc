// The ring yields 1 to the number of devices, where 0 to the last device is meant.
#include <torch/torch.h>

class DeviceRing {
 public:
  DeviceRing() : count_(static_cast<int>(torch::cuda::device_count())) {}

  int next() {
    current_ = current_ % count_ + 1;
    return current_;
  }

  int count() const { return count_; }

 private:
  int count_;
  int current_ = 0;
};

int main() {
  DeviceRing ring;
  if (ring.count() < 2) return 0;
  for (int job = 0; job < 2 * ring.count(); ++job) {
    const auto number = static_cast<c10::DeviceIndex>(ring.next());
    const torch::Device device(torch::kCUDA, number);  // expect: invalid-device
    torch::ones({2}, device);
  }
}
