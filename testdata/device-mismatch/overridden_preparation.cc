// The override does not move what the base class would have moved.
#include <torch/torch.h>

struct Runner {
  virtual ~Runner() = default;
  void setup() { net->to(device); }
  virtual torch::Tensor prepare(torch::Tensor x) { return x.to(device); }
  torch::Tensor run(torch::Tensor x) {
    return net->forward(prepare(x));  // expect: device-mismatch
  }

  torch::Device device{torch::kCUDA};
  torch::nn::Linear net{3, 4};
};

struct Doubling : Runner {
  torch::Tensor prepare(torch::Tensor x) override { return x * 2; }
};

int main() {
  Runner plain;
  plain.setup();
  plain.run(torch::ones({2, 3}));
  Doubling doubling;
  doubling.setup();
  doubling.run(torch::ones({2, 3}));
}
