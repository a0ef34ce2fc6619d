// A wrapper of the project's own, which measures how long the net takes, calls it `module`, too.
#include <torch/torch.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <string>

struct SegmenterImpl : torch::nn::Module {
  SegmenterImpl() {
    down = register_module("down", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 6, 3).padding(1)));
    up = register_module("up", torch::nn::Conv2d(torch::nn::Conv2dOptions(6, 2, 1)));
    norm = register_module("norm", torch::nn::BatchNorm2d(6));
  }
  torch::Tensor forward(torch::Tensor x) { return up(torch::relu(norm(down(x)))); }

  torch::nn::Conv2d down{nullptr}, up{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};
};
TORCH_MODULE(Segmenter);

template <typename Net>
class Timed : public torch::nn::Module {
 public:
  explicit Timed(Net net) : net_(register_module("module", net)) {}
  torch::Tensor forward(torch::Tensor x) {
    const auto begin = std::chrono::steady_clock::now();
    torch::Tensor output = net_->forward(x);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    std::cout << taken.count() << " s\n";
    return output;
  }

 private:
  Net net_;
};

struct Deployment {
  std::string file;
  Segmenter net;
  void load() { torch::load(net, file); }  // expect: state-dict-prefix
};

int main() {
  auto timed = std::make_shared<Timed<Segmenter>>(Segmenter());
  torch::Tensor output = timed->forward(torch::rand({2, 3, 8, 8}));
  torch::save(timed, "segmenter.pt");
  Deployment deployment{"segmenter.pt", Segmenter()};
  deployment.load();
}
