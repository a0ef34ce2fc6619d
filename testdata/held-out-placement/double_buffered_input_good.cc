#include <torch/torch.h>

#include <array>
#include <iostream>

// Double-buffered input: device buffers are allocated once and filled with copy_.

class StagingBuffers {
 public:
  StagingBuffers(int64_t batch, int64_t features, torch::Device device) {
    for (auto& slot : slots_) {
      slot.x = torch::empty({batch, features}, torch::TensorOptions().device(device));
      slot.y = torch::empty({batch}, torch::TensorOptions().device(device).dtype(torch::kLong));
    }
  }

  struct Slot {
    torch::Tensor x, y;
  };

  Slot& fill(const torch::Tensor& x, const torch::Tensor& y) {
    Slot& slot = slots_[next_];
    next_ = (next_ + 1) % slots_.size();
    slot.x.copy_(x, /*non_blocking=*/true);
    slot.y.copy_(y, /*non_blocking=*/true);
    return slot;
  }

 private:
  std::array<Slot, 2> slots_;
  size_t next_ = 0;
};

struct ClassifierImpl : torch::nn::Module {
  ClassifierImpl(int64_t in, int64_t classes) {
    norm = register_module("norm", torch::nn::BatchNorm1d(in));
    fc = register_module("fc", torch::nn::Linear(in, classes));
  }
  torch::Tensor forward(const torch::Tensor& x) { return fc(norm(x)); }

  torch::nn::BatchNorm1d norm{nullptr};
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Classifier);

int main() {
  torch::manual_seed(6);
  const int64_t batch = 8, features = 5, classes = 3;
  torch::Device device(torch::kCUDA, 1);

  Classifier model(features, classes);
  model->to(device);
  StagingBuffers staging(batch, features, device);
  torch::optim::RMSprop optimizer(model->parameters(), torch::optim::RMSpropOptions(1e-2));

  auto best = torch::zeros({classes, features});
  for (int step = 0; step < 6; ++step) {
    auto x = torch::randn({batch, features});
    auto y = torch::randint(classes, {batch}, torch::kLong);
    auto& slot = staging.fill(x, y);
    auto loss = torch::nn::functional::cross_entropy(model(slot.x), slot.y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    best.copy_(model->fc->weight.detach());
    std::cout << loss.item<float>() << " |w| " << best.norm().item<float>() << "\n";
  }
}
