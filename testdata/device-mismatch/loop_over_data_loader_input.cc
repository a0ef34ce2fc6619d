// The batch goes into the model as it comes from the loader.
#include <torch/torch.h>

class Points : public torch::data::Dataset<Points> {
 public:
  torch::data::Example<> get(size_t) override { return {torch::rand({2}), torch::rand({1})}; }
  torch::optional<size_t> size() const override { return 16; }
};

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear model(2, 1);
  model->to(device);
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      Points().map(torch::data::transforms::Stack<>()), 4);
  torch::optim::Adam adam(model->parameters(), 1e-3);
  for (size_t epoch = 0; epoch < 2; ++epoch) {
    for (auto& batch : *loader) {
      adam.zero_grad();
      auto prediction = model->forward(batch.data);  // expect: device-mismatch
      auto loss = torch::mse_loss(prediction, batch.target.to(device));
      loss.backward();
      adam.step();
    }
  }
}
