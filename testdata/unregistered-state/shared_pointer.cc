// A submodule behind a shared pointer.
#include <torch/torch.h>

#include <memory>

struct Encoder : torch::nn::Module {
  Encoder() { fc = register_module("fc", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return fc(x); }
  torch::nn::Linear fc{nullptr};
};

class Autoencoder : public torch::nn::Module {
 public:
  Autoencoder() : encoder_(std::make_shared<Encoder>()) {
    decoder_ = register_module("decoder", torch::nn::Linear(2, 4));
  }
  torch::Tensor forward(torch::Tensor x) { return decoder_(encoder_->forward(x)); }

 private:
  std::shared_ptr<Encoder> encoder_;  // expect: unregistered-state
  torch::nn::Linear decoder_{nullptr};
};

int main() {
  auto model = std::make_shared<Autoencoder>();
  model->to(torch::kCUDA);
  auto y = model->forward(torch::rand({2, 4}, torch::kCUDA));
}
