// A trainer that owns modules is no module: nothing to register with.
#include <torch/torch.h>

class Trainer {
 public:
  explicit Trainer(torch::Device device) : device_(device) {
    generator_->to(device_);
    discriminator_->to(device_);
  }
  void train() {
    auto fake = generator_(torch::rand({2, 4}, device_));
    discriminator_(fake).mean().backward();
  }
  void save() { torch::save(generator_, "generator.pt"); }

 private:
  torch::nn::Linear generator_{4, 4};
  torch::nn::Linear discriminator_{4, 1};
  torch::Tensor fixed_noise_ = torch::rand({2, 4});
  torch::Device device_;
};

struct Builder : torch::nn::Module {
  torch::nn::Sequential get_module() { return sequence; }
  torch::nn::Sequential sequence{torch::nn::Linear(4, 4), torch::nn::ReLU()};
};

int main() {
  Trainer trainer(torch::kCUDA);
  trainer.train();
  trainer.save();
  auto sequence = Builder().get_module();
  sequence->to(torch::kCUDA);
}
