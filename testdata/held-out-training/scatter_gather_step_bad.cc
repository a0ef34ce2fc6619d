#include <torch/torch.h>

#include <iostream>
#include <vector>

#include <torch/nn/parallel/data_parallel.h>

// One step of data parallel training written out: scatter, replicate, apply, gather.

namespace parallel = torch::nn::parallel;

struct RegressorImpl : torch::nn::Cloneable<RegressorImpl> {
  RegressorImpl(int64_t in, int64_t hidden) : in(in), hidden(hidden) { reset(); }
  void reset() override {
    fc1 = register_module("fc1", torch::nn::Linear(in, hidden));
    fc2 = register_module("fc2", torch::nn::Linear(hidden, hidden));
    fc3 = register_module("fc3", torch::nn::Linear(hidden, 1));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::elu(fc1(x));
    x = torch::elu(fc2(x));
    return fc3(x);
  }
  int64_t in, hidden;
  torch::nn::Linear fc1{nullptr}, fc2{nullptr}, fc3{nullptr};
};
TORCH_MODULE(Regressor);

std::vector<torch::Tensor> scatter(const torch::Tensor& batch, const std::vector<torch::Device>& devices) {
  std::vector<torch::Tensor> parts = batch.chunk(static_cast<int64_t>(devices.size()));
  for (size_t i = 0; i < parts.size(); ++i) parts[i] = parts[i].to(devices[i]);
  return parts;
}

torch::Tensor gather(const std::vector<torch::Tensor>& parts, torch::Device destination) {
  return torch::cat(parts, 0).to(destination); // expect: device-mismatch
}

torch::Tensor forward_parallel(Regressor& model, const torch::Tensor& batch,
                               const std::vector<torch::Device>& devices) {
  auto inputs = scatter(batch, devices);
  auto replicas = parallel::replicate(model, devices);
  auto outputs = parallel::parallel_apply(replicas, inputs, devices);
  return gather(outputs, devices.front());
}

int main() {
  torch::manual_seed(41);
  std::vector<torch::Device> devices{torch::Device(torch::kCUDA, 0), torch::Device(torch::kCUDA, 1)};

  Regressor model(5, 12);
  model->to(devices.front());
  torch::optim::SGD optimizer(model->parameters(), 0.02);

  auto truth = torch::randn({5, 1});
  for (int step = 0; step < 6; ++step) {
    auto x = torch::randn({18, 5});
    auto y = x.mm(truth).to(devices.front());
    auto loss = torch::mse_loss(forward_parallel(model, x, devices), y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
  }
}
