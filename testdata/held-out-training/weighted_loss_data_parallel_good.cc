#include <torch/torch.h>

#include <cstdio>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct MlpImpl : torch::nn::Cloneable<MlpImpl> {
  MlpImpl(int64_t in, int64_t hidden, int64_t out) : in(in), hidden(hidden), out(out) { reset(); }

  void reset() override {
    layers = register_module(
        "layers", torch::nn::Sequential(torch::nn::Linear(in, hidden), torch::nn::ReLU(),
                                        torch::nn::Dropout(0.1), torch::nn::Linear(hidden, out)));
  }

  torch::Tensor forward(torch::Tensor x) { return layers->forward(x.flatten(1)); }

  int64_t in, hidden, out;
  torch::nn::Sequential layers{nullptr};
};
TORCH_MODULE(Mlp);

// The loss is computed where the outputs are gathered: the second card has more room.
int main() {
  torch::manual_seed(11);
  const torch::Device first("cuda:0"), second("cuda:1");

  Mlp mlp(3 * 4, 24, 3);
  auto parallel = std::make_shared<DataParallel>(mlp, placecheck::parallel::DeviceIds{0, 1}, second);
  parallel->to(first);

  auto class_weights = torch::tensor({1.0f, 2.0f, 0.5f}).to(second);
  torch::nn::CrossEntropyLoss criterion(
      torch::nn::CrossEntropyLossOptions().weight(class_weights));
  torch::optim::SGD optimizer(parallel->parameters(),
                              torch::optim::SGDOptions(0.05).momentum(0.9));

  auto inputs = torch::randn({30, 3, 4});
  auto labels = inputs.flatten(1).sum(1).gt(0).to(torch::kLong);

  parallel->train();
  for (int epoch = 1; epoch <= 4; ++epoch) {
    double running = 0;
    int64_t right = 0;
    for (int64_t begin = 0; begin < inputs.size(0); begin += 10) {
      auto batch = inputs.slice(0, begin, begin + 10).to(first);
      auto target = labels.slice(0, begin, begin + 10).to(second);
      optimizer.zero_grad();
      auto output = parallel->forward(batch);
      auto loss = criterion(output, target);
      loss.backward();
      optimizer.step();
      running += loss.item<double>() * batch.size(0);
      right += output.argmax(1).eq(target).sum().item<int64_t>();
    }
    std::printf("epoch %d loss %.4f accuracy %.3f\n", epoch, running / inputs.size(0),
                double(right) / inputs.size(0));
  }

  torch::NoGradGuard no_grad;
  parallel->eval();
  auto predictions = parallel->forward(inputs).argmax(1).cpu();
  std::printf("held-in accuracy %.3f\n", predictions.eq(labels).to(torch::kFloat).mean().item<float>());
}
