#include <torch/torch.h>

#include <iostream>
#include <memory>

// The codebook is no parameter and shall not be in the checkpoint, so it is a plain member that
// follows the module by an override of to().
class Quantizer : public torch::nn::Module {
 public:
  Quantizer(int64_t codes, int64_t dim) : codebook_(torch::randn({codes, dim})) {
    scale_ = register_parameter("scale", torch::ones({1}));
  }

  void to(torch::Device device, torch::Dtype dtype, bool non_blocking = false) override {
    torch::nn::Module::to(device, dtype, non_blocking);
    codebook_ = codebook_.to(device, dtype, non_blocking);
  }
  void to(torch::Dtype dtype, bool non_blocking = false) override {
    torch::nn::Module::to(dtype, non_blocking);
    codebook_ = codebook_.to(dtype, non_blocking);
  }
  void to(torch::Device device, bool non_blocking = false) override {
    torch::nn::Module::to(device, non_blocking);
    codebook_ = codebook_.to(device, non_blocking);
  }

  torch::Tensor forward(const torch::Tensor& x) {
    auto distance = torch::cdist(x.detach(), codebook_);
    auto nearest = codebook_.index_select(0, distance.argmin(1));
    return (x + (nearest - x).detach()) * scale_;
  }

 private:
  torch::Tensor codebook_;
  torch::Tensor scale_;
};

struct VqAutoencoder : torch::nn::Module {
  VqAutoencoder() {
    encoder = register_module("encoder", torch::nn::Linear(10, 4));
    quantizer = register_module("quantizer", std::make_shared<Quantizer>(8, 4));
    decoder = register_module("decoder", torch::nn::Linear(4, 10));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    return decoder->forward(quantizer->forward(encoder->forward(x)));
  }
  torch::nn::Linear encoder{nullptr}, decoder{nullptr};
  std::shared_ptr<Quantizer> quantizer;
};

int main() {
  torch::manual_seed(20);
  auto model = std::make_shared<VqAutoencoder>();
  for (int gpu : {0, 1}) {
    torch::Device device(torch::kCUDA, gpu);
    model->to(device);
    model->zero_grad(/*set_to_none=*/true);  // gradients stay behind on the old device
    torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(1e-2));
    for (int i = 0; i < 3; ++i) {
      auto x = torch::randn({8, 10}, device);
      auto loss = torch::mse_loss(model->forward(x), x);
      loss.backward();
      optimizer.step();
      optimizer.zero_grad();
      std::cout << "GPU " << gpu << " loss " << loss.item<float>() << "\n";
    }
  }
  std::cout << model->named_parameters().size() << " parameters, " << model->named_buffers().size()
            << " buffers\n";
}
