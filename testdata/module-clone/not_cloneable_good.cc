// One device needs no copy, and a class may have a clone() of its own.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() { layer = register_module("layer", torch::nn::Linear(8, 2)); }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }

  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Encoder);

struct HeadImpl : torch::nn::Module {
  HeadImpl() { layer = register_module("layer", torch::nn::Linear(2, 2)); }
  std::shared_ptr<torch::nn::Module> clone(
      const torch::optional<torch::Device>& device = torch::nullopt) const override {
    auto copy = std::make_shared<HeadImpl>();
    if (device) copy->to(*device);
    return copy;
  }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }

  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Head);

int main() {
  torch::Device first(torch::kCUDA, 0), second(torch::kCUDA, 1);
  Encoder encoder;
  encoder->to(first);
  auto x = torch::rand({6, 8}, first);
  torch::nn::parallel::data_parallel(encoder, x, std::vector<torch::Device>{first});
  Head head;
  auto other = std::dynamic_pointer_cast<HeadImpl>(head->clone(second));
  other->forward(torch::rand({6, 2}, second));
}
