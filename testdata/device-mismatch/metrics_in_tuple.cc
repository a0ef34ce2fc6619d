// Several metrics are updated together, one of which keeps its sums on the CPU.
#include <torch/torch.h>

#include <tuple>
#include <utility>

class Loss {
 public:
  void update(const torch::Tensor& errors) { total_ += errors.sum().item<double>(); }

 private:
  double total_ = 0;
};

class Counts {
 public:
  void update(const torch::Tensor& errors) {
    counts_ += errors.gt(0.5).sum(0);  // expect: device-mismatch
  }

 private:
  torch::Tensor counts_ = torch::zeros({3}, torch::kLong);
};

template <typename... Metrics>
class MetricSet {
 public:
  explicit MetricSet(Metrics... metrics) : metrics_(std::move(metrics)...) {}
  void update(const torch::Tensor& errors) {
    std::apply([&](auto&... each) { (each.update(errors), ...); }, metrics_);
  }

 private:
  std::tuple<Metrics...> metrics_;
};

int main() {
  MetricSet<Loss, Counts> metrics(Loss{}, Counts{});
  metrics.update(torch::rand({4, 3}, torch::kCUDA));
}
