// The device that is kept has no index, and no tensor's device is equal to it.
#include <torch/torch.h>

class Server {
 public:
  explicit Server(torch::Device device) : device_(device) { net_->to(device_); }

  torch::Tensor score(torch::Tensor batch) {
    TORCH_CHECK(batch.device() == device_, "the batch is elsewhere");  // expect: failed-placement-check
    return net_->forward(batch);
  }

  torch::Device device() const { return device_; }

 private:
  torch::nn::Linear net_{4, 2};
  torch::Device device_;
};

int main() {
  Server server(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  server.score(torch::rand({3, 4}).to(server.device()));
}
