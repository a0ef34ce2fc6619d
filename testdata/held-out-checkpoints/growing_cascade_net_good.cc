#include <torch/torch.h>

#include <iostream>
#include <memory>

// Cascade net that gets one more block whenever the loss has settled.
class Cascade : public torch::nn::Module {
 public:
  explicit Cascade(int64_t width) : width_(width) {
    stem_ = register_module("stem", torch::nn::Linear(6, width));
    blocks_ = register_module("blocks", torch::nn::ModuleList());
    readout_ = register_module("readout", torch::nn::Linear(width, 2));
  }

  void grow() {
    torch::nn::Linear block(width_, width_);
    {
      torch::NoGradGuard no_grad;
      torch::nn::init::eye_(block->weight);
      torch::nn::init::zeros_(block->bias);
    }
    blocks_->push_back(block);
    // The new block follows the rest.
    blocks_->to(stem_->weight.device());
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(stem_->forward(x));
    for (const auto& block : *blocks_) {
      x = torch::relu(block->as<torch::nn::Linear>()->forward(x));
    }
    return readout_->forward(x);
  }

  size_t depth() const { return blocks_->size(); }

 private:
  int64_t width_;
  torch::nn::Linear stem_{nullptr}, readout_{nullptr};
  torch::nn::ModuleList blocks_{nullptr};
};

int main() {
  torch::manual_seed(8);
  const auto device = torch::Device("cuda:1");
  auto net = std::make_shared<Cascade>(12);
  net->to(device);

  auto x = torch::randn({20, 6}).to(device);
  auto y = torch::stack({x.sum(1), x.prod(1)}, 1);

  for (int stage = 0; stage < 3; ++stage) {
    torch::optim::Adam optimizer(net->parameters(), 1e-2);
    float last = 0;
    for (int step = 0; step < 4; ++step) {
      optimizer.zero_grad();
      auto loss = torch::smooth_l1_loss(net->forward(x), y);
      loss.backward();
      optimizer.step();
      last = loss.item<float>();
    }
    std::cout << "stage " << stage << ": depth " << net->depth() << ", loss " << last << "\n";
    net->grow();
  }
  for (const auto& item : net->named_parameters()) {
    std::cout << item.key() << "\t" << item.value().device() << "\n";
  }
}
