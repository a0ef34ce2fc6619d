// Models behind a common base class.
#include <torch/torch.h>

#include <memory>

struct Model : torch::nn::Module {
  virtual torch::Tensor forward(torch::Tensor x) = 0;
};

struct Small : Model {
  Small() { fc = register_module("fc", torch::nn::Linear(4, 1)); }
  torch::Tensor forward(torch::Tensor x) override { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};

struct Large : Model {
  Large() {
    a = register_module("a", torch::nn::Linear(4, 64));
    b = register_module("b", torch::nn::Linear(64, 1));
  }
  torch::Tensor forward(torch::Tensor x) override { return b->forward(a->forward(x).relu()); }
  torch::nn::Linear a{nullptr}, b{nullptr};
};

std::shared_ptr<Model> make_model(bool large) {
  if (large) return std::make_shared<Large>();
  return std::make_shared<Small>();
}

int main(int argc, char**) {
  torch::Device device(torch::kCUDA);
  std::shared_ptr<Model> model = make_model(argc > 1);
  model->to(device);
  auto x = torch::rand({8, 4});
  auto good = model->forward(x.to(device));
  auto bad = model->forward(x);  // expect: device-mismatch
  return 0;
}
