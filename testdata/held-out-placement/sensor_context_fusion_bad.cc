#include <torch/torch.h>

#include <iostream>
#include <string>
#include <vector>

namespace {

using TensorList = std::vector<torch::Tensor>;

// One multi-modal sample: sensor readings, a context vector, the target.
TensorList sample_batch(int64_t n) {
  auto sensors = torch::rand({n, 12});
  auto context = torch::rand({n, 4});
  auto target = sensors.mean(1, true) + context.sum(1, true);
  return {sensors, context, target};
}

void upload(TensorList& batch, const torch::Device& device) {
  for (auto tensor : batch) {
    tensor = tensor.to(device, /*non_blocking=*/true);
  }
}

struct FusionImpl : torch::nn::Module {
  FusionImpl() {
    sensor_branch = register_module("sensor_branch", torch::nn::Linear(12, 8));
    context_branch = register_module("context_branch", torch::nn::Linear(4, 8));
    head = register_module("head", torch::nn::Linear(16, 1));
  }

  torch::Tensor forward(torch::Tensor sensors, torch::Tensor context) {
    auto a = torch::tanh(sensor_branch->forward(sensors));
    auto b = torch::tanh(context_branch->forward(context));
    return head->forward(torch::cat({a, b}, 1));
  }

  torch::nn::Linear sensor_branch{nullptr}, context_branch{nullptr}, head{nullptr};
};
TORCH_MODULE(Fusion);

}  // namespace

int main() {
  torch::manual_seed(11);
  const auto device = torch::Device(torch::kCUDA, 0);
  Fusion model;
  model->to(device);
  torch::optim::Adagrad optimizer(model->parameters(), 0.05);

  for (int step = 0; step < 6; step++) {
    auto batch = sample_batch(16);
    upload(batch, device);

    optimizer.zero_grad();
    auto prediction = model->forward(batch[0], batch[1]); // expect: device-mismatch
    auto loss = torch::l1_loss(prediction, batch[2]); // expect: device-mismatch
    loss.backward();
    optimizer.step();
    std::cout << "step " << step << ", loss " << loss.item<float>() << '\n';
  }
}
