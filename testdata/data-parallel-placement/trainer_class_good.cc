// A trainer that moves its network in the constructor's body, after the wrapper was made.
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct ClassifierImpl : torch::nn::Cloneable<ClassifierImpl> {
  ClassifierImpl() { reset(); }
  void reset() override {
    hidden = register_module("hidden", torch::nn::Linear(12, 24));
    output = register_module("output", torch::nn::Linear(24, 4));
  }
  torch::Tensor forward(torch::Tensor x) { return output(torch::relu(hidden(x))); }

  torch::nn::Linear hidden{nullptr}, output{nullptr};
};
TORCH_MODULE(Classifier);

struct Batch {
  torch::Tensor data, target;
};

class Trainer {
 public:
  Trainer(Classifier net, torch::Device device)
      : device_(device),
        net_(net),
        parallel_(std::make_shared<DataParallel>(net, DeviceIds{0, 1})),
        optimizer_(net->parameters(), torch::optim::SGDOptions(0.1)),
        weights_(torch::ones({4}, device)) {
    net_->to(device_);
  }

  double train_epoch(const std::vector<Batch>& batches) {
    double total = 0;
    net_->train();
    for (const Batch& batch : batches) total += train_step(batch);
    return total / static_cast<double>(batches.size());
  }

 private:
  double train_step(const Batch& batch) {
    optimizer_.zero_grad();
    torch::Tensor output = parallel_->forward(batch.data);
    torch::Tensor loss =
        torch::cross_entropy_loss(output, batch.target.to(output.device()), weights_);
    loss.backward();
    optimizer_.step();
    return loss.item<double>();
  }

  torch::Device device_;
  Classifier net_;
  std::shared_ptr<DataParallel> parallel_;
  torch::optim::SGD optimizer_;
  torch::Tensor weights_;
};

int main() {
  std::vector<Batch> batches;
  for (int i = 0; i < 4; ++i) {
    batches.push_back({torch::rand({16, 12}), torch::randint(4, {16}, torch::kLong)});
  }
  Trainer trainer(Classifier(), torch::Device(torch::kCUDA, 0));
  for (int epoch = 0; epoch < 2; ++epoch) trainer.train_epoch(batches);
}
