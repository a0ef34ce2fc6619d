// The paths are not literals: what is saved may be what is loaded.
#include <torch/torch.h>

#include <string>

class Trainer {
 public:
  explicit Trainer(std::string path) : path_(std::move(path)) { net_->to(device_); }
  void save() { torch::save(net_, path_); }
  void load(const std::string& path) { torch::load(net_, path); }
  torch::Tensor run() { return net_->forward(torch::rand({3, 4}, device_)); }

 private:
  std::string path_;
  torch::Device device_{torch::kCUDA};
  torch::nn::Linear net_{torch::nn::Linear(4, 2)};
};

int main(int argc, char** argv) {
  Trainer trainer(argv[argc - 1]);
  trainer.load(std::string(argv[argc - 1]) + ".old");
  auto y = trainer.run();
  trainer.save();
}
