// Workers read ahead, pinned pages are moved while the card computes.
#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    hidden = register_module("hidden", torch::nn::Linear(10, 20));
    output = register_module("output", torch::nn::Linear(20, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return output(torch::relu(hidden(x))); }

  torch::nn::Linear hidden{nullptr}, output{nullptr};
};
TORCH_MODULE(Net);

class Points : public torch::data::datasets::Dataset<Points> {
 public:
  torch::data::Example<> get(size_t) override { return {torch::rand({10}), torch::rand({2})}; }
  torch::optional<size_t> size() const override { return 640; }
};

int main() {
  const torch::Device device(torch::kCUDA);
  Net net;
  net->to(device);
  torch::optim::Adam optimizer(net->parameters());
  auto loader =
      torch::data::make_data_loader(Points().map(torch::data::transforms::Stack<>()),
                                    torch::data::DataLoaderOptions().batch_size(64).workers(2));
  for (auto& batch : *loader) {
    torch::Tensor data = batch.data.pin_memory().to(device, /*non_blocking=*/true);
    torch::Tensor target = batch.target.pin_memory().to(device, /*non_blocking=*/true);
    optimizer.zero_grad();
    torch::mse_loss(net->forward(data), target).backward();
    optimizer.step();
  }
}
