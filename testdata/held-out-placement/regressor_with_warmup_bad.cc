#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <functional>

namespace nn = torch::nn;

static nn::Sequential build_regressor() {
  return nn::Sequential(nn::Linear(3, 24), nn::ReLU(), nn::Linear(24, 24), nn::ReLU(),
                        nn::Linear(24, 1));
}

static double fit(nn::Sequential& model, torch::optim::Optimizer& optimizer, int steps,
                  int64_t batch, torch::Device where) {
  double last = NAN;
  for (int i = 0; i < steps; ++i) {
    auto x = torch::rand({batch, 3}, torch::TensorOptions().device(where));
    auto y = (x * x).sum(1, /*keepdim=*/true);
    model->zero_grad();
    auto loss = torch::mse_loss(model->forward(x), y);
    loss.backward();
    optimizer.step(); // expect: optimizer-state-device
    last = loss.item<double>();
  }
  // Drop the gradients so that nothing of this phase is kept.
  for (auto& p : model->parameters()) p.mutable_grad().reset();
  return last;
}

int main() {
  torch::manual_seed(42);

  auto model = build_regressor();
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(3e-3));

  // A few tiny batches on the host first: cheap, and it shows errors early.
  double warm = fit(model, optimizer, 5, 4, torch::kCPU);
  std::printf("warm-up loss %.4f\n", warm);

  const torch::Device gpu(torch::kCUDA, 0);
  model->to(gpu);
  for (auto& p : model->parameters()) {
    TORCH_CHECK(p.device() == gpu, "parameter left behind on ", p.device());
  }

  for (int round = 0; round < 3; ++round) {
    double loss = fit(model, optimizer, 10, 64, gpu);
    std::printf("round %d loss %.4f\n", round, loss);
  }
  return 0;
}
