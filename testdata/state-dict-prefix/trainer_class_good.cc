// The trainer saves the net inside its wrapper, for those that have none.
#include <torch/torch.h>

#include <memory>
#include <string>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;

struct NetImpl : torch::nn::Cloneable<NetImpl> {
  NetImpl() { reset(); }
  void reset() override {
    conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3)));
    fc = register_module("fc", torch::nn::Linear(4 * 36, 10));
  }
  torch::Tensor forward(torch::Tensor x) { return fc(torch::relu(conv(x)).flatten(1)); }

  torch::nn::Conv2d conv{nullptr};
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);

class Trainer {
 public:
  explicit Trainer(std::string path) : path_(std::move(path)) {
    model_ = std::make_shared<DataParallel>(Net());
    model_->to(torch::Device(torch::kCUDA, 0));
  }

  void train(int epochs) {
    for (int epoch = 0; epoch < epochs; ++epoch) {
      torch::Tensor output = model_->forward(torch::rand({8, 1, 8, 8}));
      const float loss = output.pow(2).mean().item<float>();
      if (loss >= best_) continue;
      best_ = loss;
      save_checkpoint();
    }
    save_checkpoint();
  }

 private:
  void save_checkpoint() const { torch::save(model_->module(), path_); }

  std::string path_;
  std::shared_ptr<DataParallel> model_;
  float best_ = 1e9F;
};

class Server {
 public:
  explicit Server(const std::string& path) {
    torch::load(net_, path, torch::kCPU);
    net_->eval();
  }
  torch::Tensor predict(const torch::Tensor& image) {
    torch::NoGradGuard no_grad;
    return net_->forward(image).softmax(1);
  }

 private:
  Net net_;
};

int main() {
  Trainer trainer("digits.pt");
  trainer.train(2);
  Server server("digits.pt");
  torch::Tensor scores = server.predict(torch::rand({1, 1, 8, 8}));
}
