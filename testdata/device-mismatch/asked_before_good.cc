// What is moved where it differs from a tensor of which nothing is known is where that is.
#include <torch/torch.h>

#include <vector>

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

int main(int argc, char**) {
  torch::Device device(torch::kCUDA);
  Normalized net;
  net->to(device);
  auto image = torch::rand({1, 3, 8, 8});
  std::vector<torch::Tensor> images = {image, image.to(device)};
  auto y = net(images[argc > 0 ? 1 : 0]);
  std::vector<torch::Tensor> scores = {torch::rand({4}), torch::rand({4}, device)};
  auto masked = Mask().for_scores(scores[argc > 0 ? 1 : 0]) + torch::ones({4}, device);
}
