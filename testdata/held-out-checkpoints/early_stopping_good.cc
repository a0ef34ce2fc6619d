#include <torch/torch.h>

#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>

// Early stopping with the best model and its optimizer in memory.

template <typename Model>
class EarlyStopping {
 public:
  EarlyStopping(int patience, double min_delta) : patience_(patience), min_delta_(min_delta) {}

  // True if the training is to stop.
  bool update(const std::shared_ptr<Model>& model, torch::optim::Optimizer& optimizer, double loss) {
    if (loss < best_ - min_delta_) {
      best_ = loss;
      waited_ = 0;
      std::ostringstream m, o;
      torch::save(model, m);
      torch::save(optimizer, o);
      model_bytes_ = m.str();
      optimizer_bytes_ = o.str();
      return false;
    }
    return ++waited_ >= patience_;
  }

  void restore(std::shared_ptr<Model>& model, torch::optim::Optimizer& optimizer,
               torch::Device device) const {
    std::istringstream m(model_bytes_), o(optimizer_bytes_);
    torch::load(model, m, device);
    torch::load(optimizer, o, device);
  }

  double best() const { return best_; }

 private:
  int patience_;
  double min_delta_;
  double best_ = std::numeric_limits<double>::infinity();
  int waited_ = 0;
  std::string model_bytes_, optimizer_bytes_;
};

struct Curve : torch::nn::Module {
  Curve() : a(1, 12), b(12, 1) {
    register_module("a", a);
    register_module("b", b);
  }
  torch::Tensor forward(torch::Tensor x) { return b(torch::tanh(a(x))); }
  torch::nn::Linear a, b;
};

int main() {
  torch::manual_seed(48);
  const torch::Device device(torch::kCUDA, 1);
  auto model = std::make_shared<Curve>();
  model->to(device);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.3).momentum(0.9));

  auto x = torch::linspace(-2, 2, 40, torch::TensorOptions().device(device)).unsqueeze(1);
  auto y = torch::sin(2 * x);
  auto step = [&] {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(model->forward(x), y);
    loss.backward();
    optimizer.step();
    return loss.item<double>();
  };

  EarlyStopping<Curve> stopping(2, 1e-4);
  int epoch = 0;
  for (; epoch < 30; ++epoch) {
    step();
    torch::NoGradGuard no_grad;
    auto validation = torch::mse_loss(model->forward(x * 0.9), torch::sin(1.8 * x));
    if (stopping.update(model, optimizer, validation.item<double>())) break;
  }
  std::cout << "stopped after " << epoch << " epochs, best " << stopping.best() << "\n";

  stopping.restore(model, optimizer, device);
  for (auto& group : optimizer.param_groups()) {
    static_cast<torch::optim::SGDOptions&>(group.options()).lr(0.01);
  }
  std::cout << "fine-tuned " << step() << " " << step() << "\n";
}
