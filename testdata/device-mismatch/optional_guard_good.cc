// A guard that is made where there is a device to select, and ends with its optional. A count of
// devices is true where there are some.
#include <c10/core/DeviceGuard.h>
#include <torch/torch.h>

struct Slot {
  int index = -1;
  torch::nn::Linear net{nullptr};
};

int main() {
  const int gpus = static_cast<int>(torch::cuda::device_count());
  std::vector<Slot> slots;
  for (int i = 0; i < 2; ++i) {
    Slot slot;
    slot.index = gpus ? i % gpus : -1;
    slot.net = torch::nn::Linear(4, 4);
    if (slot.index >= 0) slot.net->to(torch::Device(torch::kCUDA, slot.index));
    slots.push_back(slot);
  }
  const torch::Tensor x = torch::rand({2, 4});
  for (auto& slot : slots) {
    torch::optional<c10::DeviceGuard> guard;
    if (slot.index >= 0) guard.emplace(torch::Device(torch::kCUDA, slot.index));
    slot.net(slot.index < 0 ? x : x.to(torch::kCUDA));
  }
}
