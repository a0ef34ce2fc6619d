// With a single id the wrapper moves the net when it is made; what moves it away later wins.
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
    return parallel_->forward(x);  // expect: data-parallel-placement
  }
  void release_card() { net_->to(torch::kCPU); }

 private:
  int card_;
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
