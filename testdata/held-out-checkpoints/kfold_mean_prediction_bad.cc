#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

// K-fold cross-validation. Folds are trained on alternating GPUs; the test set is then predicted by
// the mean of all folds.

struct FoldModel {
  torch::nn::Sequential net{nullptr};
  torch::Device device;
  double validation = 0;

  explicit FoldModel(torch::Device where) : device(where) {
    net = torch::nn::Sequential(torch::nn::Linear(3, 10), torch::nn::Softplus(),
                                torch::nn::Linear(10, 1));
    net->to(device);
  }

  void fit(const torch::Tensor& x, const torch::Tensor& y) {
    torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(0.02));
    auto inputs = x.to(device), targets = y.to(device);
    for (int i = 0; i < 5; ++i) {
      optimizer.zero_grad();
      torch::mse_loss(net->forward(inputs), targets).backward();
      optimizer.step();
    }
  }

  torch::Tensor predict(const torch::Tensor& x) {
    torch::NoGradGuard no_grad;
    return net->forward(x.to(device));
  }
};

torch::Tensor target_function(const torch::Tensor& x) { return x.pow(2).sum(1, true); }

int main() {
  torch::manual_seed(51);
  const int64_t folds = 4;
  auto data = torch::randn({40, 3});
  auto targets = target_function(data);
  auto fold_of = torch::arange(40).remainder(folds);

  std::vector<FoldModel> models;
  for (int64_t fold = 0; fold < folds; ++fold) {
    auto held_out = fold_of.eq(fold);
    auto rest = held_out.logical_not();
    FoldModel model(torch::Device(torch::kCUDA, fold % 2));
    model.fit(data.index({rest}), targets.index({rest}));
    auto predicted = model.predict(data.index({held_out})).cpu();
    model.validation = torch::mse_loss(predicted, targets.index({held_out})).item<double>();
    std::cout << "fold " << fold << " validation " << model.validation << std::endl;
    models.push_back(model);
  }

  auto test = torch::randn({12, 3});
  std::vector<torch::Tensor> predictions;
  for (auto& model : models) predictions.push_back(model.predict(test));
  auto ensemble = torch::stack(predictions).mean(0).cpu(); // expect: device-mismatch
  auto error = torch::mse_loss(ensemble, target_function(test)).item<double>();
  std::cout << "ensemble error " << error << "\n";
  return 0;
}
