// With a single id the wrapper moves the net itself; who takes it away brings it back.
#include <torch/torch.h>

#include <memory>

#include "runtime/torch/data_parallel.h"

using placecheck::parallel::DataParallel;
using placecheck::parallel::DeviceIds;

class Server {
 public:
  explicit Server(int card) : card_(card) {
    parallel_ = std::make_shared<DataParallel>(net_, DeviceIds{card_});
  }
  torch::Tensor predict(torch::Tensor x) {
    if (is_released_) net_->to(torch::Device(torch::kCUDA, card_));
    is_released_ = false;
    return parallel_->forward(x);
  }
  void release_card() {
    net_->to(torch::kCPU);
    is_released_ = true;
  }

 private:
  int card_;
  bool is_released_ = false;
  torch::nn::Linear net_{6, 2};
  std::shared_ptr<DataParallel> parallel_;
};

int main() {
  torch::NoGradGuard no_grad;
  Server server(1);
  server.predict(torch::rand({4, 6}));
  server.release_card();
  server.predict(torch::rand({4, 6}));
}
