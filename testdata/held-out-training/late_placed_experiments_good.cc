#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

// The optimizer belongs to the experiment and is made together with the model; which device is
// free is only known later.
struct Experiment {
  torch::nn::Sequential net;
  std::unique_ptr<torch::optim::Optimizer> optimizer;
  std::unique_ptr<torch::optim::StepLR> scheduler;

  Experiment()
      : net(torch::nn::Linear(6, 12), torch::nn::BatchNorm1d(12), torch::nn::ReLU(),
            torch::nn::Linear(12, 2)) {
    optimizer = std::make_unique<torch::optim::Adam>(net->parameters(),
                                                     torch::optim::AdamOptions(1e-2));
    scheduler = std::make_unique<torch::optim::StepLR>(*optimizer, /*step_size=*/2, /*gamma=*/0.5);
  }

  // Called before the first step: Adam makes its moments in step(), where the parameters then are.
  void place(torch::Device device) { net->to(device); }

  torch::Device device() const { return net->parameters().front().device(); }

  double step(const torch::Tensor& x, const torch::Tensor& y) {
    auto logits = net->forward(x.to(device()));
    auto loss = torch::nn::functional::cross_entropy(logits, y.to(device()));
    optimizer->zero_grad();
    loss.backward();
    optimizer->step();
    scheduler->step();
    return loss.item<double>();
  }

  double lr() const {
    return static_cast<torch::optim::AdamOptions&>(optimizer->param_groups()[0].options()).lr();
  }
};

int pick_device() {
  // Take the last one, people tend to use the first.
  return static_cast<int>(torch::cuda::device_count()) - 1;
}

torch::Tensor sanity_check(Experiment& experiment) {
  // One gradient on the CPU to see that the net is connected; no step is taken.
  auto out = experiment.net->forward(torch::randn({4, 6}));
  out.sum().backward();
  auto norm = torch::zeros({});
  for (const auto& p : experiment.net->parameters()) norm = norm + p.grad().norm();
  for (auto& p : experiment.net->parameters()) p.mutable_grad() = torch::Tensor();
  return norm;
}

int main() {
  torch::manual_seed(23);
  std::vector<Experiment> experiments(2);
  for (auto& e : experiments) {
    std::cout << "gradient norm " << sanity_check(e).item<float>() << "\n";
  }

  experiments[0].place(torch::Device(torch::kCUDA, 0));
  experiments[1].place(torch::Device(torch::kCUDA, pick_device()));

  auto x = torch::randn({18, 6});
  auto y = x.select(1, 0).gt(0).to(torch::kLong);
  for (int i = 0; i < 4; ++i) {
    for (size_t e = 0; e < experiments.size(); ++e) {
      std::cout << "experiment " << e << " loss " << experiments[e].step(x, y) << " lr "
                << experiments[e].lr() << "\n";
    }
  }
  return 0;
}
