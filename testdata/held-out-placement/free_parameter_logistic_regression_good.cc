#include <torch/torch.h>

#include <iostream>
#include <unordered_map>
#include <string>
#include <vector>

using Batch = std::unordered_map<std::string, torch::Tensor>;

static void move_batch(Batch& batch, torch::Device device) {
  for (auto& [name, tensor] : batch) tensor = tensor.to(device, /*non_blocking=*/true);
}

static void move_all(std::vector<torch::Tensor>& tensors, torch::Device device) {
  for (torch::Tensor& tensor : tensors) tensor.set_data(tensor.to(device));
}

int main() {
  torch::manual_seed(5);
  torch::Device device("cuda");

  // Logistic regression with free parameters, without a module.
  auto weight = torch::zeros({8, 1}).set_requires_grad(true);
  auto bias = torch::zeros({1}).set_requires_grad(true);
  std::vector<torch::Tensor> params{weight, bias};
  torch::optim::SGD optimizer(params, 0.5);
  move_all(params, device);  // weight and bias are the same tensors, so they move, too

  auto truth = torch::randn({8, 1}, torch::kDouble);
  for (int i = 0; i < 15; ++i) {
    auto features = torch::randn({32, 8}, torch::kDouble);
    Batch batch{{"x", features}, {"y", features.matmul(truth).gt(0)}, {"w", torch::ones({32, 1})}};
    move_batch(batch, device);

    auto x = batch.at("x").to(torch::kFloat);
    auto y = batch.at("y").to(x.dtype());
    auto logits = x.matmul(weight) + bias;
    auto loss = torch::binary_cross_entropy_with_logits(logits, y, batch.at("w"), {},
                                                        at::Reduction::Mean);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    if (i % 5 == 4) std::cout << "iteration " << i << " loss " << loss.item<double>() << "\n";
  }

  auto agreement = torch::cosine_similarity(weight.detach().cpu().to(torch::kDouble), truth, 0);
  std::cout << "cosine with the truth: " << agreement.item<double>() << "\n";
  return 0;
}
