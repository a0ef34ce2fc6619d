#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

struct RegressorImpl : torch::nn::Cloneable<RegressorImpl> {
  explicit RegressorImpl(int64_t in) : in_(in) { reset(); }
  void reset() override {
    layers = register_module("layers", torch::nn::Sequential(torch::nn::Linear(in_, 8),
                                                             torch::nn::BatchNorm1d(8),
                                                             torch::nn::ReLU(),
                                                             torch::nn::Linear(8, 1)));
  }
  torch::Tensor forward(torch::Tensor x) { return layers->forward(x); }
  torch::nn::Sequential layers{nullptr};
  int64_t in_;
};
TORCH_MODULE(Regressor);

class ManualDataParallel {
 public:
  ManualDataParallel(Regressor model, std::vector<torch::Device> devices)
      : devices_(std::move(devices)) {
    model->to(devices_[0]);
    replicas_.push_back(model);
    for (size_t i = 1; i < devices_.size(); ++i) {
      replicas_.emplace_back(std::dynamic_pointer_cast<RegressorImpl>(model->clone(devices_[i])));
    }
  }

  double forward_backward(const torch::Tensor& x, const torch::Tensor& y) {
    double total = 0;
    auto xs = x.chunk(static_cast<int64_t>(devices_.size()));
    auto ys = y.chunk(static_cast<int64_t>(devices_.size()));
    for (size_t i = 0; i < xs.size(); ++i) {
      auto loss = torch::mse_loss(replicas_[i]->forward(xs[i].to(devices_[i])),
                                  ys[i].to(devices_[i]));
      loss.backward();
      total += loss.item<double>() * static_cast<double>(xs[i].size(0));
    }
    return total / static_cast<double>(x.size(0));
  }

  // All-reduce through the first device: every replica ends up with the same mean.
  void reduce() {
    torch::NoGradGuard guard;
    std::vector<std::vector<torch::Tensor>> params;
    for (auto& replica : replicas_) params.push_back(replica->parameters());
    for (size_t k = 0; k < params[0].size(); ++k) {
      auto mean = torch::zeros_like(params[0][k]);
      for (auto& of_replica : params) mean.add_(of_replica[k].grad().to(mean.device()));
      mean.div_(static_cast<double>(params.size()));
      for (auto& of_replica : params) of_replica[k].mutable_grad().copy_(mean);
    }
  }

  void zero_grad() {
    for (auto& replica : replicas_) replica->zero_grad();
  }

  void share_buffers() {
    torch::NoGradGuard guard;
    auto source = replicas_[0]->named_buffers();
    for (size_t i = 1; i < replicas_.size(); ++i) {
      for (auto& item : replicas_[i]->named_buffers()) item.value().copy_(source[item.key()]);
    }
  }

  std::vector<Regressor>& replicas() { return replicas_; }

 private:
  std::vector<torch::Device> devices_;
  std::vector<Regressor> replicas_;
};

int main() {
  torch::manual_seed(4);
  ManualDataParallel parallel(Regressor(5), {torch::Device("cuda:0"), torch::Device("cuda:1")});

  // One optimizer a replica; equal gradients keep them equal.
  std::vector<std::unique_ptr<torch::optim::Adam>> optimizers;
  for (auto& replica : parallel.replicas()) {
    optimizers.push_back(std::make_unique<torch::optim::Adam>(
        replica->parameters(), torch::optim::AdamOptions(0.01)));
  }

  auto x = torch::randn({20, 5});
  auto y = x.pow(2).sum(1, /*keepdim=*/true);
  for (int step = 0; step < 4; ++step) {
    parallel.zero_grad();
    double loss = parallel.forward_backward(x, y);
    parallel.reduce();
    for (auto& optimizer : optimizers) optimizer->step();
    parallel.share_buffers();
    std::cout << "step " << step << " loss " << loss << "\n";
  }

  auto first = parallel.replicas()[0]->parameters()[0].detach().cpu();
  auto second = parallel.replicas()[1]->parameters()[0].detach().cpu();
  std::cout << "max difference " << (first - second).abs().max().item<float>() << std::endl;
}
