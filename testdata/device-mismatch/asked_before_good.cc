// What is moved where it differs from a tensor of which nothing is known is where that is.
#include <torch/torch.h>

#include <future>

struct NormalizedImpl : torch::nn::Module {
  NormalizedImpl() {
    conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 8, 3)));
    mean = torch::full({1, 3, 1, 1}, 0.5);
  }
  torch::Tensor forward(torch::Tensor x) {
    if (mean.device() != x.device()) mean = mean.to(x.device());
    return conv(x - mean);
  }
  torch::nn::Conv2d conv{nullptr};
  torch::Tensor mean;
};
TORCH_MODULE(Normalized);

class Mask {
 public:
  torch::Tensor for_scores(const torch::Tensor& scores) {
    bool fits = mask_.device() == scores.device();
    if (!fits) mask_ = torch::ones({4}, scores.options());
    return scores * mask_;
  }

 private:
  torch::Tensor mask_ = torch::ones({4});
};

int main() {
  torch::Device device(torch::kCUDA);
  Normalized net;
  net->to(device);
  auto pending =
      std::async(std::launch::async, [&] { return torch::rand({1, 3, 8, 8}).to(device); });
  auto y = net(pending.get());
  auto scores = std::async(std::launch::async, [&] { return torch::rand({4}).to(device); });
  auto masked = Mask().for_scores(scores.get()) + torch::ones({4}, device);
}
