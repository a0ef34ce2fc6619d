#include <torch/torch.h>

#include <iostream>

// A training script which uploads every batch into the same preallocated device memory.
class Staging {
 public:
  Staging(int64_t batch, int64_t features, torch::Device device)
      : inputs_(torch::empty({batch, features}, device)),
        targets_(torch::empty({batch}, torch::TensorOptions(torch::kLong).device(device))) {}

  void fill(const torch::Tensor& inputs, const torch::Tensor& targets) {
    inputs_.copy_(inputs);
    targets_.copy_(targets, /*non_blocking=*/true);
  }

  const torch::Tensor& inputs() const { return inputs_; }
  const torch::Tensor& targets() const { return targets_; }

 private:
  torch::Tensor inputs_, targets_;
};

struct ClassifierImpl : torch::nn::Module {
  ClassifierImpl(int64_t features, int64_t classes)
      : body(register_module("body", torch::nn::Linear(features, 32))),
        head(register_module("head", torch::nn::Linear(32, classes))) {}

  torch::Tensor forward(torch::Tensor x) {
    return torch::log_softmax(head(torch::relu(body(x))), 1);
  }

  torch::nn::Linear body, head;
};
TORCH_MODULE(Classifier);

int main() {
  torch::manual_seed(1);
  constexpr int64_t kBatch = 16, kFeatures = 10, kClasses = 4;
  torch::Device device(torch::kCUDA, 1);

  Classifier model(kFeatures, kClasses);
  // The optimizer holds the parameters themselves; moving the module keeps their identity.
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.1).momentum(0.5));
  model->to(device);

  Staging staging(kBatch, kFeatures, device);
  for (int step = 0; step < 12; ++step) {
    auto inputs = torch::randn({kBatch, kFeatures});
    auto targets = inputs.slice(1, 0, kClasses).argmax(1);
    staging.fill(inputs, targets);

    optimizer.zero_grad();
    auto loss = torch::nll_loss(model->forward(staging.inputs()), staging.targets());
    loss.backward();
    optimizer.step();
    if (step % 4 == 3) std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }

  // Accuracy on the host.
  torch::NoGradGuard guard;
  auto test = torch::randn({64, kFeatures});
  auto guess = model->forward(test.to(device)).argmax(1).to(torch::kCPU);
  auto hits = guess.eq(test.slice(1, 0, kClasses).argmax(1)).sum().item<int64_t>();
  std::cout << "accuracy " << hits / 64.0 << std::endl;
  return 0;
}
