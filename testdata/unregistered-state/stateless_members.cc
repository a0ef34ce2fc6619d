// Members without parameters, buffers or a mode need no registration.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() { conv = register_module("conv", torch::nn::Conv2d(3, 4, 3)); }
  torch::Tensor forward(torch::Tensor x) { return flatten(up(pool(relu(conv(x))))); }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::ReLU relu;
  torch::nn::MaxPool2d pool{torch::nn::MaxPool2dOptions(2)};
  torch::nn::Upsample up{torch::nn::UpsampleOptions().scale_factor(std::vector<double>{2, 2})};
  torch::nn::AdaptiveAvgPool2d average{1};
  torch::nn::Flatten flatten;
  torch::nn::Softmax softmax{1};
  torch::nn::Sequential activations{torch::nn::Tanh(), torch::nn::ReLU()};
  torch::nn::MSELoss loss;
  int64_t steps = 0;
};
TORCH_MODULE(Net);

int main() {
  Net net;
  net->to(torch::kCUDA);
  net->train();
  torch::optim::Adam optimizer(net->parameters());
}
