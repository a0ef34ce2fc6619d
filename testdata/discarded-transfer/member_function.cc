// A member that is meant to be moved.
#include <torch/torch.h>

class Memory {
 public:
  void move(torch::Device device) {
    states_.to(device);  // expect: discarded-transfer
    actions_ = actions_.to(device);
    this->rewards_.to(device);  // expect: discarded-transfer
  }
  torch::Tensor total() const { return states_.sum() + rewards_.sum(); }

 private:
  torch::Tensor states_ = torch::zeros({4, 2}), actions_ = torch::zeros({4});
  torch::Tensor rewards_ = torch::zeros({4});
};

int main() {
  Memory memory;
  memory.move(torch::kCUDA);
  memory.total();
}
