// Transfers under a flag, in conditions and in expressions whose value is used.
#include <torch/torch.h>

#include <cstring>
#include <functional>
#include <iostream>
#include <optional>

struct Options {
  bool use_cuda = true;
  bool half = false;
};

class Evaluator {
 public:
  explicit Evaluator(const Options& options)
      : options_(options), device_(options.use_cuda ? torch::kCUDA : torch::kCPU) {
    net_->to(device_);
    if (options_.half) net_->to(torch::kFloat64);
  }

  torch::Tensor prepare(torch::Tensor x) const {
    if (options_.half) x = x.to(torch::kFloat64);
    return options_.use_cuda ? x.to(device_) : x;
  }

  float accuracy(const torch::Tensor& data, const torch::Tensor& target) {
    if (data.to(torch::kCPU).isnan().any().item<bool>()) return 0;
    torch::Tensor output = net_->forward(prepare(data)).argmax(1);
    const bool is_right = output.cpu().equal(target);
    std::cout << output.to(torch::kCPU) << (is_right ? " right\n" : "\n");
    return output.cpu().eq(target).to(torch::kFloat).mean().item<float>();
  }

 private:
  Options options_;
  torch::Device device_;
  torch::nn::Linear net_{4, 2};
};

int main(int argc, char** argv) {
  Options options;
  options.use_cuda = argc < 2 || std::strcmp(argv[1], "--cpu") != 0;
  Evaluator evaluator(options);
  std::cout << evaluator.accuracy(torch::rand({3, 4}), torch::zeros({3}, torch::kLong)) << '\n';
  std::function<torch::Tensor(torch::Tensor)> home = [](torch::Tensor x) { return x.cpu(); };
  std::optional<torch::Tensor> mask;
  if (options.use_cuda) mask = torch::ones({4}).to(torch::kCUDA);
  torch::Tensor all = mask ? home(*mask) : torch::ones({4});
  // Dropped on purpose, and said so.
  (void)all.to(torch::kCPU);
}
