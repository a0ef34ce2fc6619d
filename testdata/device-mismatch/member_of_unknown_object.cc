// A net that nobody here makes has the layers that its constructor gives it.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    features = register_module(
        "features", torch::nn::Sequential(torch::nn::Linear(4, 8), torch::nn::ReLU(),
                                          torch::nn::Sequential(torch::nn::Linear(8, 8))));
    head = register_module("head", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = features->forward(x);  // expect: device-mismatch
    return head(x);
  }
  torch::nn::Sequential features{nullptr};
  torch::nn::Linear head{nullptr};
};
TORCH_MODULE(Net);

class Trainer {
 public:
  virtual ~Trainer() = default;
  virtual void start() = 0;

 protected:
  void train() {
    torch::Device device(torch::kCUDA, 0);
    net->to(device);
    net->forward(torch::rand({2, 4}));
    auto loss =
        net->forward(torch::rand({2, 4}, device)) - torch::ones({2, 2});  // expect: device-mismatch
  }

 private:
  Net net;
};
