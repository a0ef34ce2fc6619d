#include <torch/torch.h>

#include <iostream>
#include <vector>

namespace nn = torch::nn;

// U-Net like 1d network: the contracting half on the first GPU, the expanding half on the second.
struct DownImpl : nn::Module {
  nn::Conv1d c1{nullptr}, c2{nullptr}, c3{nullptr};
  DownImpl(int64_t in, int64_t width) {
    c1 = register_module("c1", nn::Conv1d(nn::Conv1dOptions(in, width, 3).padding(1)));
    c2 = register_module("c2", nn::Conv1d(nn::Conv1dOptions(width, 2 * width, 3).padding(1)));
    c3 = register_module("c3", nn::Conv1d(nn::Conv1dOptions(2 * width, 4 * width, 3).padding(1)));
  }
  // The bottleneck is last.
  std::vector<torch::Tensor> forward(torch::Tensor x) {
    std::vector<torch::Tensor> levels;
    levels.push_back(torch::relu(c1(x)));
    levels.push_back(torch::relu(c2(torch::max_pool1d(levels[0], 2))));
    levels.push_back(torch::relu(c3(torch::max_pool1d(levels[1], 2))));
    return levels;
  }
};
TORCH_MODULE(Down);

struct UpImpl : nn::Module {
  nn::ConvTranspose1d t2{nullptr}, t1{nullptr};
  nn::Conv1d out{nullptr};
  UpImpl(int64_t width, int64_t classes) {
    t2 = register_module("t2", nn::ConvTranspose1d(
                                   nn::ConvTranspose1dOptions(4 * width, 2 * width, 2).stride(2)));
    t1 = register_module("t1", nn::ConvTranspose1d(
                                   nn::ConvTranspose1dOptions(2 * width, width, 2).stride(2)));
    out = register_module("out", nn::Conv1d(width, classes, 1));
  }
  torch::Tensor forward(torch::Tensor bottom, const std::vector<torch::Tensor>& skips) {
    auto x = torch::relu(t2(bottom));
    x = x + skips[1];
    x = torch::relu(t1(x));
    x = x + skips[0];
    return out(x);
  }
};
TORCH_MODULE(Up);

class SplitUNet {
 public:
  SplitUNet(torch::Device first, torch::Device second)
      : first_(first), second_(second), down_(2, 4), up_(4, 3) {
    down_->to(first_);
    up_->to(second_);
  }

  torch::Tensor operator()(const torch::Tensor& signal) {
    auto levels = down_(signal.to(first_));
    auto bottom = levels.back().to(second_);
    levels.pop_back();
    return up_(bottom, levels); // expect: device-mismatch
  }

  std::vector<torch::Tensor> parameters() const {
    auto all = down_->parameters();
    for (auto& p : up_->parameters()) all.push_back(p);
    return all;
  }

  torch::Device output_device() const { return second_; }

 private:
  torch::Device first_, second_;
  Down down_;
  Up up_;
};

int main() {
  torch::manual_seed(5);
  SplitUNet net(torch::Device(torch::kCUDA, 0), torch::Device(torch::kCUDA, 1));
  torch::optim::SGD sgd(net.parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));

  for (int step = 0; step < 3; ++step) {
    auto signal = torch::randn({4, 2, 16});
    auto target = torch::randint(0, 3, {4, 16}, torch::kLong).to(net.output_device());
    sgd.zero_grad();
    auto logits = net(signal);
    auto loss = nn::functional::cross_entropy(logits, target);
    loss.backward();
    sgd.step();
    std::cout << "step " << step << " " << loss.item<float>() << "\n";
  }
  return 0;
}
