// A module that someone else owns and moves is referred to, not owned.
#include <torch/torch.h>

class Distilled : public torch::nn::Module {
 public:
  explicit Distilled(torch::nn::Linear teacher) : teacher_(std::move(teacher)) {
    student_ = register_module("student", torch::nn::Linear(4, 2));
  }
  torch::Tensor forward(torch::Tensor x) {
    return torch::mse_loss(student_(x), teacher_(x).detach());
  }

 private:
  torch::nn::Linear teacher_;
  torch::nn::Linear student_{nullptr};
};

int main() {
  torch::nn::Linear teacher(4, 2);
  teacher->to(torch::kCUDA);
  Distilled model(teacher);
  model.to(torch::kCUDA);
  model.forward(torch::rand({2, 4}, torch::kCUDA)).backward();
}
