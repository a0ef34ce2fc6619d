#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <tuple>

#include "runtime/torch/data_parallel.h"

// SimCLR-like training: two views of every row, the loss over the whole gathered batch.
struct ProjectorImpl : torch::nn::Cloneable<ProjectorImpl> {
  ProjectorImpl(int64_t in, int64_t out) : in_(in), out_(out) { reset(); }

  void reset() override {
    body_ = register_module("body", torch::nn::Sequential(torch::nn::Linear(in_, 16),
                                                          torch::nn::ReLU(),
                                                          torch::nn::Linear(16, out_)));
    scale_ = register_parameter("scale", torch::ones({out_}));
  }

  torch::Tensor embed(const torch::Tensor& x) {
    return torch::nn::functional::normalize(body_->forward(x) * scale_,
                                            torch::nn::functional::NormalizeFuncOptions().dim(1));
  }

  std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor left, torch::Tensor right) {
    return {embed(left), embed(right)};
  }

 private:
  int64_t in_, out_;
  torch::nn::Sequential body_{nullptr};
  torch::Tensor scale_;
};
TORCH_MODULE(Projector);

torch::Tensor nt_xent(const torch::Tensor& a, const torch::Tensor& b, double temperature) {
  const auto n = a.size(0);
  auto z = torch::cat({a, b});
  auto similarity = z.matmul(z.t()) / temperature;
  auto self = torch::eye(2 * n, torch::TensorOptions().dtype(torch::kBool).device(z.device()));
  similarity = similarity.masked_fill(self, -1e9);
  auto partner = torch::arange(2 * n, torch::TensorOptions().dtype(torch::kLong).device(z.device()));
  partner = (partner + n).remainder(2 * n);
  return torch::nn::functional::cross_entropy(similarity, partner);
}

torch::Tensor view_of(const torch::Tensor& x) {
  auto keep = torch::rand_like(x).gt(0.2).to(x.dtype());
  return x * keep + 0.05 * torch::randn_like(x);
}

int main() {
  using Views = std::tuple<torch::Tensor, torch::Tensor>;
  torch::manual_seed(55);
  const torch::Device collect("cuda:1");

  Projector projector(10, 4);
  projector->to(torch::Device("cuda:0"));
  placecheck::parallel::DataParallel net(projector, {0, 1}, collect);
  torch::optim::AdamW optimizer(projector->parameters(), torch::optim::AdamWOptions(5e-3));

  auto data = torch::randn({30, 10});
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (const auto& rows : torch::randperm(data.size(0), torch::kLong).split(12)) {
      auto batch = data.index_select(0, rows);
      auto [left, right] = net.call<Views>(view_of(batch), view_of(batch));
      auto loss = nt_xent(left, right, 0.5);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      std::cout << "epoch " << epoch << " rows " << rows.size(0) << " loss " << loss.item<float>()
                << "\n";
    }
  }

  torch::NoGradGuard guard;
  projector->eval();
  auto embedded = projector->embed(data.to(projector->parameters()[0].device()));
  auto nearest = (embedded.matmul(embedded.t()) - 2 * torch::eye(30, embedded.options())).argmax(1);
  std::cout << "row 0 is nearest to " << nearest[0].item<int64_t>() << std::endl;
}
