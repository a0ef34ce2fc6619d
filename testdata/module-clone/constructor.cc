// The constructor registers what reset() only initialises: the copy has no parts.
#include <torch/nn/parallel/data_parallel.h>
#include <torch/torch.h>

struct WideAndDeepImpl : torch::nn::Cloneable<WideAndDeepImpl> {
  WideAndDeepImpl(int64_t wide, int64_t deep)
      : wide_(register_module("wide", torch::nn::Linear(wide, 1))),
        deep_(register_module("deep", torch::nn::Linear(deep, 1))),
        split_(wide) {}
  void reset() override {
    for (auto* layer : {&wide_, &deep_}) (*layer)->reset_parameters();
  }
  torch::Tensor forward(torch::Tensor x) {
    return wide_->forward(x.slice(1, 0, split_)) + deep_->forward(x.slice(1, split_));
  }

  torch::nn::Linear wide_, deep_;
  int64_t split_;
};
TORCH_MODULE(WideAndDeep);

int main() {
  std::vector<torch::Device> devices{{torch::kCUDA, 0}, {torch::kCUDA, 1}};
  WideAndDeep net(3, 5);
  net->to(devices[0]);
  torch::nn::parallel::data_parallel(net, torch::rand({6, 8}, devices[0]), devices);  // expect: module-clone
}
