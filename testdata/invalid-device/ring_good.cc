// The remainder is taken last.
#include <torch/torch.h>

class DeviceRing {
 public:
  DeviceRing() : count_(static_cast<int>(torch::cuda::device_count())) {}

  int next() {
    const int now = current_;
    current_ = (current_ + 1) % count_;
    return now;
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
    const torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(ring.next()));
    torch::ones({2}, device);
  }
}
