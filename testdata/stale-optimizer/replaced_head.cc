// The head is replaced for another task after the optimizer was made of the whole network, a
// network by its copy on the device, and a member by a copy of the parameter.
#include <torch/torch.h>

#include <memory>

struct NetImpl : torch::nn::Module {
  explicit NetImpl(int64_t classes)
      : body(register_module("body", torch::nn::Linear(8, 16))),
        head(register_module("head", torch::nn::Linear(16, classes))) {}
  torch::Tensor forward(torch::Tensor x) { return head(torch::relu(body(x))); }
  void reset_head(int64_t classes) {
    head = replace_module("head", torch::nn::Linear(16, classes));
  }
  torch::nn::Linear body{nullptr}, head{nullptr};
};
TORCH_MODULE(Net);

struct FitterImpl : torch::nn::Cloneable<FitterImpl> {
  FitterImpl() { reset(); }
  void reset() override { layer = register_module("layer", torch::nn::Linear(4, 1)); }
  torch::Tensor forward(torch::Tensor x) { return layer(x); }
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Fitter);

class Training {
 public:
  void put_on(const torch::Device& device) {
    device_ = device;
    net_ = Fitter(std::dynamic_pointer_cast<FitterImpl>(net_->clone(device)));
  }
  void step() {
    net_->zero_grad();
    net_(torch::rand({8, 4}, device_)).sum().backward();
    optimizer_.step();
  }

 private:
  torch::Device device_ = torch::kCPU;
  Fitter net_;
  torch::optim::SGD optimizer_{net_->parameters(), 0.1};  // expect: stale-optimizer
};

void train_copy() {
  Training training;
  training.put_on(torch::Device(torch::kCUDA, 0));
  for (int step = 0; step < 3; ++step) training.step();
}

struct ScaleImpl : torch::nn::Module {
  ScaleImpl() : weight(register_parameter("weight", torch::ones({4}))) {}
  void put_on(const torch::Device& device) {
    torch::NoGradGuard no_grad;
    weight = weight.to(device);  // expect: stale-optimizer
    to(device);
  }
  torch::Tensor forward(torch::Tensor x) { return x * weight; }
  torch::Tensor weight;
};
TORCH_MODULE(Scale);

void train_scale() {
  Scale scale;
  scale->put_on(torch::Device(torch::kCUDA, 0));
  torch::optim::SGD optimizer(scale->parameters(), 0.1);
  auto x = torch::rand({8, 4}, torch::kCUDA).requires_grad_();
  scale(x).sum().backward();
  optimizer.step();
}

int main() {
  Net net(10);
  torch::optim::SGD optimizer(net->parameters(), 0.1);  // expect: stale-optimizer
  net->reset_head(2);
  net->to(torch::kCUDA);
  for (int step = 0; step < 3; ++step) {
    optimizer.zero_grad();
    net(torch::rand({4, 8}, torch::kCUDA)).sum().backward();
    optimizer.step();
  }
  train_copy();
  train_scale();
}
