// Without workers the examples are made in the main thread, where the device is selected.
#include <c10/cuda/CUDAGuard.h>
#include <torch/torch.h>

struct Volumes : torch::data::datasets::Dataset<Volumes> {
  torch::data::Example<> get(size_t) override {
    return {torch::rand({8}).cuda(), torch::zeros({2}).cuda()};
  }
  torch::optional<size_t> size() const override { return 64; }
};

int main() {
  c10::cuda::CUDAGuard guard(1);
  torch::nn::Linear net(8, 2);
  net->to(torch::kCUDA);
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      Volumes().map(torch::data::transforms::Stack<>()),
      torch::data::DataLoaderOptions().batch_size(16).workers(0));
  for (auto& batch : *loader) {
    auto loss = torch::mse_loss(net->forward(batch.data), batch.target);
    loss.backward();
  }
}
