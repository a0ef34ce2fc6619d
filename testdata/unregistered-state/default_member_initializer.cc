// A layer with a default member initializer, in a class without any registration.
#include <torch/torch.h>

class Regression : public torch::nn::Module {
 public:
  torch::Tensor forward(torch::Tensor x) { return linear_->forward(x); }

 private:
  torch::nn::Linear linear_{3, 1};  // expect: unregistered-state
};

int main() {
  auto model = std::make_shared<Regression>();
  model->to(torch::Device(torch::kCUDA));
  auto y = model->forward(torch::rand({2, 3}, torch::kCUDA));
}
