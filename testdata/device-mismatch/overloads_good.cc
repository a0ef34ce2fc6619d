// Of functions with one name, the one that the arguments choose moves what it is given.
#include <torch/torch.h>

#include <vector>

struct Policy {
  Policy() : model(4, 2) { model->to(torch::kCUDA); }
  torch::Tensor predict(const std::vector<float>& state) {
    return predict(torch::tensor(state).to(torch::kCUDA));
  }
  torch::Tensor predict(const torch::Tensor& state) { return model(state); }
  torch::Tensor act(const torch::Tensor& state) { return model(state); }
  torch::Tensor act(torch::Tensor&& state) { return model(state.to(torch::kCUDA)); }
  torch::nn::Linear model;
};

struct Base {
  virtual ~Base() = default;
  virtual torch::Tensor place(const torch::Tensor& x) { return x; }
  virtual torch::Tensor place(const std::vector<torch::Tensor>& all) { return all[0]; }
};

struct OnCard : Base {
  torch::Tensor place(const std::vector<torch::Tensor>& all) override {
    return all[0].to(torch::kCUDA);
  }
  torch::Tensor place(const torch::Tensor& x) override { return x.to(torch::kCUDA); }
};

int main() {
  Policy policy;
  policy.predict(std::vector<float>(4, 1.0F));
  policy.act(torch::zeros({1, 4}));
  OnCard on_card;
  Base& base = on_card;
  policy.model(base.place(torch::zeros({1, 4})));
  policy.model(base.place(std::vector<torch::Tensor>{torch::zeros({1, 4})}));
}
