// The helper that lists the cards also says where the net goes.
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

struct EncoderImpl : torch::nn::Cloneable<EncoderImpl> {
  explicit EncoderImpl(int64_t width) : width_(width) { reset(); }
  void reset() override {
    down = register_module("down", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, width_, 3)));
    head = register_module("head", torch::nn::Linear(width_ * 36, 10));
  }
  torch::Tensor forward(torch::Tensor x) { return head(torch::relu(down(x)).flatten(1)); }

  torch::nn::Conv2d down{nullptr};
  torch::nn::Linear head{nullptr};

 private:
  int64_t width_;
};
TORCH_MODULE(Encoder);

std::vector<torch::Device> preferred_cards() {
  std::vector<torch::Device> cards;
  cards.emplace_back(torch::kCUDA, 1);
  cards.emplace_back(torch::kCUDA, 0);
  return cards;
}

std::shared_ptr<DataParallel> wrap(Encoder net) {
  const std::vector<torch::Device> cards = preferred_cards();
  net->to(cards.front());
  return std::make_shared<DataParallel>(net, DeviceIds(cards));
}

int main() {
  Encoder encoder(8);
  auto parallel = wrap(encoder);
  torch::Tensor images = torch::rand({8, 1, 8, 8});
  torch::Tensor scores = parallel->forward(images);
  torch::Tensor loss =
      torch::nll_loss(scores.log_softmax(1), torch::zeros({8}, torch::kLong).to(scores.device()));
}
