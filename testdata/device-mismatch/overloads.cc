// Of functions with one name, the one that the arguments choose is run.
#include <torch/torch.h>

#include <vector>

struct Policy {
  Policy() : model(4, 2) { model->to(torch::kCUDA); }
  torch::Tensor predict(const std::vector<float>& state) {
    return model(torch::tensor(state).to(torch::kCUDA));
  }
  torch::Tensor predict(const torch::Tensor& state) {
    return model(state);  // expect: device-mismatch
  }
  torch::nn::Linear model;
};

struct Wrapper {
  explicit Wrapper(int64_t size) : model(size, 4) { model->to(torch::kCUDA); }
  explicit Wrapper(torch::nn::Linear given) : model(given) {}
  torch::nn::Linear model;
};

struct Base {
  virtual ~Base() = default;
  virtual torch::Tensor place(const torch::Tensor& x) { return x; }
};

// Hides what it inherits, and overrides none of it.
struct Hiding : Base {
  using Base::place;
  torch::Tensor place(const std::vector<torch::Tensor>& all) { return all[0].to(torch::kCUDA); }
};

int main() {
  Policy policy;
  policy.predict(std::vector<float>(4, 1.0F));
  torch::nn::Linear on_host(4, 4);
  Wrapper wrapper(on_host);
  wrapper.model(torch::zeros({1, 4}));
  Hiding hiding;
  Base& base = hiding;
  policy.model(base.place(torch::zeros({1, 4}, torch::kCUDA)));
  policy.predict(torch::zeros({1, 4}));
}
