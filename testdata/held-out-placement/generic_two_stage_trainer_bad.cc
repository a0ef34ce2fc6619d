#include <torch/torch.h>

#include <iostream>
#include <vector>

// A two-stage network, one stage for each GPU, and a trainer that works for any module.

struct TwoStageImpl : torch::nn::Module {
  TwoStageImpl(int64_t in, int64_t hidden, int64_t classes, torch::Device first, torch::Device second)
      : first_(first), second_(second) {
    lower_ = register_module("lower", torch::nn::Linear(in, hidden));
    upper_ = register_module("upper", torch::nn::Linear(hidden, classes));
    lower_->to(first_);
    upper_->to(second_);
  }

  torch::Tensor forward(torch::Tensor x) {
    auto hidden = torch::relu(lower_(x));
    return upper_(hidden.to(second_));
  }

 private:
  torch::Device first_, second_;
  torch::nn::Linear lower_{nullptr}, upper_{nullptr};
};
TORCH_MODULE(TwoStage);

torch::Device device_of(const torch::nn::Module& module) {
  const auto parameters = module.parameters();
  return parameters.empty() ? torch::Device(torch::kCPU) : parameters.front().device();
}

template <typename Model>
class Trainer {
 public:
  Trainer(Model model, double rate)
      : model_(model), device_(device_of(*model)), optimizer_(model->parameters(), rate) {}

  float step(const torch::Tensor& x, const torch::Tensor& labels) {
    optimizer_.zero_grad();
    auto logits = model_->forward(x.to(device_));
    auto target = labels.to(device_);
    auto loss = torch::nll_loss(torch::log_softmax(logits, 1), target); // expect: device-mismatch
    loss.backward();
    optimizer_.step();
    return loss.template item<float>();
  }

 private:
  Model model_;
  torch::Device device_;
  torch::optim::SGD optimizer_;
};

int main() {
  torch::manual_seed(101);
  TwoStage model(10, 20, 4, torch::Device("cuda:0"), torch::Device("cuda:1"));
  Trainer<TwoStage> trainer(model, 0.1);
  for (int i = 0; i < 8; ++i) {
    auto x = torch::randn({16, 10});
    auto labels = x.narrow(1, 0, 4).argmax(1);
    std::cout << "step " << i << " loss " << trainer.step(x, labels) << std::endl;
  }
  return 0;
}
