// The types of the devices are compared.
#include <torch/torch.h>

class Server {
 public:
  explicit Server(torch::Device device) : device_(device) { net_->to(device_); }

  torch::Tensor score(torch::Tensor batch) {
    TORCH_CHECK(batch.device().type() == device_.type(), "the batch is elsewhere");
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
