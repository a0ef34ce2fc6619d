// arguments: 0
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>

namespace nn = torch::nn;

// Multi-task learning: a shared trunk, a segmentation-like head on the second GPU and a regression
// head next to the trunk.

class MultiTask : public nn::Module {
 public:
  MultiTask(torch::Device main, torch::Device side) : main_(main), side_(side) {
    trunk_ = register_module("trunk", nn::Sequential(nn::Linear(7, 14), nn::ReLU()));
    regress_ = register_module("regress", nn::Linear(14, 1));
    classify_ = register_module("classify", nn::Sequential(nn::Linear(14, 14), nn::ReLU(), nn::Linear(14, 3)));
    trunk_->to(main_);
    regress_->to(main_);
    classify_->to(side_);
  }

  struct Output {
    torch::Tensor value;
    torch::Tensor logits;
  };

  Output forward(const torch::Tensor& x) {
    auto shared = trunk_->forward(x.to(main_));
    return {regress_->forward(shared), classify_->forward(shared.to(side_))};
  }

 private:
  torch::Device main_, side_;
  nn::Sequential trunk_{nullptr}, classify_{nullptr};
  nn::Linear regress_{nullptr};
};

struct Sample {
  torch::Tensor x, value, label;
};

Sample draw(int64_t count) {
  Sample s;
  s.x = torch::randn({count, 7});
  s.value = s.x.norm(2, 1, true);
  s.label = s.x.slice(1, 0, 3).argmax(1);
  return s;
}

torch::Tensor objective(const MultiTask::Output& out, const Sample& sample, double weight) {
  auto regression = torch::mse_loss(out.value, sample.value.to(out.value.device()));
  auto classification = nn::functional::cross_entropy(out.logits, sample.label.to(out.logits.device()));
  return regression + weight * classification; // expect: device-mismatch
}

int main(int argc, char** argv) {
  torch::manual_seed(32);
  const double weight = argc > 1 ? std::atof(argv[1]) : 0.7;
  MultiTask net(torch::Device("cuda:0"), torch::Device("cuda:1"));
  torch::optim::AdamW optimizer(net.parameters(), torch::optim::AdamWOptions(4e-3).weight_decay(0.01));

  double smoothed = 0;
  for (int step = 0; step < 8; ++step) {
    auto sample = draw(10);
    auto out = net.forward(sample.x);
    auto loss = objective(out, sample, weight);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    smoothed = step == 0 ? loss.item<double>() : 0.9 * smoothed + 0.1 * loss.item<double>();
    std::cout << "step " << step << " loss " << smoothed << "\n";
  }
}
