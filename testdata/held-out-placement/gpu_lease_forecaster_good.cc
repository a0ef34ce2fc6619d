#include <torch/torch.h>

#include <cstdlib>
#include <iostream>
#include <string>

// Runs on the physical GPU that the job was given, which the process then sees as its first.
class GpuLease {
 public:
  explicit GpuLease(int physical) {
    setenv("CUDA_VISIBLE_DEVICES", std::to_string(physical).c_str(), 1);
    TORCH_CHECK(torch::cuda::device_count() == 1, "expected a single GPU, found ",
                torch::cuda::device_count());
  }

  torch::Device device() const { return torch::Device(torch::kCUDA, 0); }
};

struct ForecasterImpl : torch::nn::Module {
  explicit ForecasterImpl(int64_t window) : window_(window) {
    conv = register_module(
        "conv", torch::nn::Conv1d(torch::nn::Conv1dOptions(1, 4, 3).padding(1)));
    head = register_module("head", torch::nn::Linear(4 * window, 1));
    ramp = register_buffer("ramp", torch::linspace(0, 1, window));
  }

  torch::Tensor forward(const torch::Tensor& series) {
    auto x = (series * ramp).unsqueeze(1);
    return head(torch::relu(conv(x)).flatten(1)).squeeze(1);
  }

  int64_t window_;
  torch::nn::Conv1d conv{nullptr};
  torch::nn::Linear head{nullptr};
  torch::Tensor ramp;
};
TORCH_MODULE(Forecaster);

int main() {
  GpuLease lease(1);
  torch::manual_seed(31);

  Forecaster model(12);
  model->to(lease.device());
  torch::optim::Adam optimizer(model->parameters(), 5e-3);

  auto signal = torch::sin(torch::arange(200, torch::kFloat) * 0.2);
  auto windows = signal.unfold(0, 13, 1);
  for (int epoch = 0; epoch < 4; ++epoch) {
    auto order = torch::randperm(windows.size(0)).slice(0, 0, 32);
    auto rows = windows.index_select(0, order).to(lease.device());
    auto loss = torch::mse_loss(model->forward(rows.narrow(1, 0, 12)), rows.select(1, 12));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "epoch " << epoch << ", loss " << loss.item<float>() << '\n';
  }
  return 0;
}
